import type { ServiceRow } from '../../shared/screens/home.ts'
import type { Tone } from './badge.tsx'
import { Icon, type IconName } from './icon.tsx'

const states: Record<ServiceRow['state'], { tone: Tone; icon: IconName; word: string }> = {
  ok: { tone: 'ok', icon: 'check', word: 'OK' },
  degraded: { tone: 'warn', icon: 'warn', word: 'Degraded' },
  failing: { tone: 'bad', icon: 'error', word: 'Failing' },
  silent: { tone: 'muted', icon: 'silent', word: 'Silent' },
}

/** A service's state as an icon, a word and a colour. */
export function StateLabel({ state }: { state: ServiceRow['state'] }) {
  const { tone, icon, word } = states[state]
  return (
    <span className="state" data-tone={tone}>
      <Icon name={icon} />
      {word}
    </span>
  )
}
