import type { FailureRow } from '../../shared/failure.ts'
import type { Tone } from './badge.tsx'
import { Icon, type IconName } from './icon.tsx'
import { plainText } from './plain-text.ts'

type Stated = Pick<FailureRow, 'state' | 'returned'>

const looks: Record<FailureRow['state'] | 'returned', { tone: Tone; icon: IconName; word: string }> = {
  open: { tone: 'bad', icon: 'error', word: 'Open' },
  returned: { tone: 'bad', icon: 'returned', word: 'Returned' },
  resolved: { tone: 'ok', icon: 'check', word: 'Resolved' },
  muted: { tone: 'muted', icon: 'muted', word: 'Muted' },
}

/** What a list need not say of a failure. */
export function isPlainlyOpen({ state, returned }: Stated): boolean {
  return state === 'open' && returned === null
}

/** The state of a failure by icon, word and colour; where it has returned, with the release. */
export function FailureStateLabel({ failure: { state, returned } }: { failure: Stated }) {
  const { tone, icon, word } = looks[returned === null ? state : 'returned']
  const release = returned?.release ?? null
  return (
    <span className="state failure-state" data-tone={tone}>
      <Icon name={icon} />
      <span>
        {word}
        {release !== null && (
          <>
            {' in '}
            <bdi>{plainText(release)}</bdi>
          </>
        )}
      </span>
    </span>
  )
}
