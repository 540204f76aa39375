import { type ReactNode, useLayoutEffect, useState } from 'react'

/** Renders content that only scripts can open. The server omits it, because pages should contain only visible content. */
export function ScriptOnly({ children }: { children: ReactNode }) {
  const [isHydrated, setHydrated] = useState(false)
  // A passive effect would run too late: scripts could handle a key before the content exists.
  useLayoutEffect(() => setHydrated(true), [])
  return isHydrated && children
}
