import { type MouseEvent, useState } from 'react'
import type { EventRow } from '../../../shared/event.ts'
import { pluralise } from '../../../shared/format.ts'
import type { Window } from '../../../shared/range.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { announce } from '../../announce.ts'
import type { Follow } from './use-follow.ts'

type Props = {
  count: number
  above: EventRow
  /** All rows below. */
  below: readonly EventRow[]
  content: ActivitiesContent
  fill: Follow['fill']
}

// The button stays enabled while the events load, because a disabled button loses the focus.
const labels = { missing: 'Load', loading: 'Loading…', failed: 'Couldn’t load. Retry' } as const

/** Reports missing events below a row. The button loads them, with code that is loaded on first use. */
export function MissingEvents({ count, above, below, content, fill }: Props) {
  const [state, setState] = useState<keyof typeof labels>('missing')

  async function load({ currentTarget: button }: MouseEvent) {
    if (state === 'loading') return
    setState('loading')
    const events = await import('./missing-events.ts')
      .then(({ missingEvents }) => missingEvents(above, below, content))
      .catch(() => null)
    setState(events === null ? 'failed' : 'missing')
    announce(events === null ? labels.failed : `${pluralise(events.length, 'event')} loaded`)
    if (events === null) return
    // The button is about to disappear, so the row above gets the focus.
    if (document.activeElement === button)
      document.querySelector<HTMLElement>(`#event-${above.id} a`)?.focus()
    fill(above.id, events)
  }

  return (
    <>
      {pluralise(count, 'event')} not loaded.{' '}
      <button type="button" className="activities-missed" onClick={load}>
        {labels[state]}
      </button>
    </>
  )
}

/** Shorter pauses are not reported. */
const minPauseMs = 60_000
/** Pauses shorter than this share of the window are not reported either. */
const minPauseShare = 0.05

type Timed = Pick<EventRow, 'timeMs'>

/** The length of a pause between a row and the one below, or `null` if it is too short to report. */
export function pauseBelow(above: Timed, below: Timed | undefined, { fromMs, toMs }: Window): number | null {
  if (below === undefined) return null
  const pauseMs = above.timeMs - below.timeMs
  return pauseMs >= Math.max(minPauseMs, (toMs - fromMs) * minPauseShare) ? pauseMs : null
}
