import type { Contents } from '../../../shared/page.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Notice } from '../../components/notice.tsx'

type Made = NonNullable<Contents['settings']['made']>

/** A secret that was just made: this page is the only one that shows it. */
export function JustMade({ made: { kind, name, secret } }: { made: Made }) {
  return (
    <Notice
      tone="ok"
      title={kind === 'token' ? `The token “${name}” is made.` : `The webhook “${name}” is added.`}
    >
      <p>
        {kind === 'token'
          ? 'Copy it now: only its hash is kept, and it is not shown again.'
          : 'Its messages are signed after Standard Webhooks with this key. Copy it now if you check signatures: it is not shown again.'}
      </p>
      <CodeBlock code={secret} language="text" label={kind === 'token' ? 'Token' : 'Key of the signatures'} />
    </Notice>
  )
}
