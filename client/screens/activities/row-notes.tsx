import { type MouseEvent, useState } from 'react'
import type { EventRow } from '../../../shared/event.ts'
import { pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { spanning, type Window } from '../../../shared/range.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { announce } from '../../announce.ts'
import { readPage } from '../../read-page.ts'
import type { Follow } from './use-follow.ts'

type Props = {
  count: number
  above: EventRow
  below: EventRow | undefined
  content: ActivitiesContent
  fill: Follow['fill']
}

// The button stays enabled while it loads, because a disabled button loses the focus.
const labels = { missing: 'Load', loading: 'Loading…', failed: 'Couldn’t load. Retry' } as const

/** Reports missing events between two rows. The button loads a log page for the time between the rows. */
export function MissingEvents({ count, above, below, content, fill }: Props) {
  const [state, setState] = useState<keyof typeof labels>('missing')
  const { q, window, urlColumns: columns } = content
  const range = spanning(below?.timeMs ?? window.fromMs, above.timeMs)
  const href = paths.activities({ q, range, columns })

  async function load({ currentTarget: button }: MouseEvent) {
    if (state === 'loading') return
    setState('loading')
    const events = await eventsAt(href).catch(() => null)
    setState(events === null ? 'failed' : 'missing')
    announce(events === null ? labels.failed : 'Events loaded')
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

/** Fetches the events of a log page. */
async function eventsAt(href: string): Promise<EventRow[] | null> {
  const response = await fetch(href, { headers: { accept: 'text/html' } })
  const build = document.documentElement.dataset.build ?? ''
  const page = readPage(new DOMParser().parseFromString(await response.text(), 'text/html'), build)
  return page?.screen === 'activities' ? page.content.events : null
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
