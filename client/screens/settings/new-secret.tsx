import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { NewSecret as Content } from '../../../shared/screens/settings.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Notice } from '../../components/notice.tsx'

/** A secret that was just created. No other page shows it. */
export function NewSecret({ secret: { kind, name, secret } }: { secret: Content }) {
  const [isHidden, setHidden] = useState(false)
  useEffect(() => {
    // The browser may store the page in its back/forward cache and show it again.
    const hide = () => flushSync(() => setHidden(true))
    addEventListener('pagehide', hide)
    return () => removeEventListener('pagehide', hide)
  }, [])
  if (isHidden) return null
  return kind === 'token' ? (
    <Notice tone="ok" title={`Token “${name}” created.`} isOutcome>
      <p>Copy the token now; it won’t be shown again.</p>
      <CodeBlock code={secret} language="text" label="Token" />
    </Notice>
  ) : (
    <Notice tone="ok" title={`Webhook “${name}” added.`} isOutcome>
      <p>Copy the signing key now; it won’t be shown again. Messages are signed with Standard Webhooks.</p>
      <CodeBlock code={secret} language="text" label="Signing key" />
    </Notice>
  )
}
