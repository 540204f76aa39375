import type { ReactNode } from 'react'
import type { ServiceRow } from '../../shared/screens/home.ts'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'neutral' | 'ok' | 'warn' | 'bad' | 'accent' | 'muted'

/** A short coloured label. The word alone conveys the meaning. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  )
}

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
