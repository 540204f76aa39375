import { type ReactNode, useEffect, useState } from 'react'

/** Renders content that only scripts can open. The server omits it, because pages should contain only what visitors see. */
export function ScriptOnly({ children }: { children: ReactNode }) {
  const [isHydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  return isHydrated && children
}
