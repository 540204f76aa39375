import type { Verdict } from '../../../shared/content.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { plainText } from '../../components/plain-text.ts'

const icons: Record<Verdict['state'], IconName> = {
  ok: 'check',
  degraded: 'warn',
  failing: 'error',
  empty: 'silent',
}

/** The sentence that answers the screen's question: its heading, what comes after the colon in smaller print. */
export function VerdictLine({ verdict: { state, sentence } }: { verdict: Verdict }) {
  // The last colon: the name of a service may hold one, the reason never does.
  const end = sentence.lastIndexOf(': ') + 1
  return (
    <h1 className="home-verdict" data-state={state}>
      <Icon name={icons[state]} />
      <span>
        <strong>{plainText(sentence.slice(0, end))}</strong>
        {plainText(sentence.slice(end))}
      </span>
    </h1>
  )
}
