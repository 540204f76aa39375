import type { FailureRow } from '../../shared/failure.ts'
import type { Tone } from './badge.tsx'
import { Icon, type IconName } from './icon.tsx'
import { plainText } from './plain-text.ts'

type FailureStatus = Pick<FailureRow, 'state' | 'returned'>

const labels: Record<FailureRow['state'] | 'returned', { tone: Tone; icon: IconName; word: string }> = {
  open: { tone: 'bad', icon: 'error', word: 'Open' },
  returned: { tone: 'bad', icon: 'returned', word: 'Returned' },
  resolved: { tone: 'ok', icon: 'check', word: 'Resolved' },
  muted: { tone: 'muted', icon: 'muted', word: 'Muted' },
}

/** Whether lists show the state. They omit the default state, `open`. */
export function hasNotableState({ state, returned }: FailureStatus): boolean {
  return state !== 'open' || returned !== null
}

/** A failure's state as an icon, a word and a colour, with the release in which a resolved failure returned. */
export function FailureStateLabel({ failure: { state, returned } }: { failure: FailureStatus }) {
  const { tone, icon, word } = labels[returned === null ? state : 'returned']
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
