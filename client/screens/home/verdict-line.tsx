import { paths } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import type { Verdict } from '../../../shared/screens/home.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { plainText } from '../../components/plain-text.ts'

const icons: Record<Verdict['state'], IconName> = {
  ok: 'check',
  degraded: 'warn',
  failing: 'error',
  empty: 'silent',
}

/** The heading of Home. The part after the colon links to the counted events. */
export function VerdictLine({ verdict, window }: { verdict: Verdict; window: Window }) {
  const { state, sentence, search } = verdict
  // Split at the last colon, because a service name may contain one.
  const end = sentence.lastIndexOf(': ') + 1
  return (
    <h1 className="home-verdict" data-state={state}>
      <Icon name={icons[state]} />
      <span>
        <strong>{plainText(sentence.slice(0, end))}</strong>
        {search === null ? (
          plainText(sentence.slice(end))
        ) : (
          <>
            {' '}
            <a href={paths.activities({ q: search, range: window })}>
              {plainText(sentence.slice(end).trim())}
            </a>
          </>
        )}
      </span>
    </h1>
  )
}
