import { useState } from 'react'
import type { EventRow } from '../../../shared/event.ts'
import { formatCount } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { spanning } from '../../../shared/range.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { readPage } from '../../read-page.ts'
import type { Follow } from './use-follow.ts'

type Props = {
  count: number
  above: EventRow
  below: EventRow | undefined
  content: ActivitiesContent
  fill: Follow['fill']
}

/** Says that events are missing between two rows, and puts them in place: a page of the log that holds that time. */
export function MissingEvents({ count, above, below, content, fill }: Props) {
  const [state, setState] = useState<'missing' | 'asking' | 'failed'>('missing')
  const { q, window, columnsAsked: columns } = content
  const range = spanning(below?.timeMs ?? window.fromMs, above.timeMs)
  const href = paths.activities({ q, range, columns })

  async function ask() {
    setState('asking')
    const events = await eventsAt(href).catch(() => null)
    setState(events === null ? 'failed' : 'missing')
    if (events !== null) fill(above.id, events)
  }

  return (
    <>
      {formatCount(count)} {count === 1 ? 'event is' : 'events are'} not shown here.{' '}
      <button type="button" className="activities-missed" disabled={state === 'asking'} onClick={ask}>
        {state === 'failed' ? 'They did not come: try again' : 'Show them'}
      </button>
    </>
  )
}

/** The events of a page of the log, read as a navigation to it would. */
async function eventsAt(href: string): Promise<EventRow[] | null> {
  const answer = await fetch(href, { headers: { accept: 'text/html' } })
  const build = document.documentElement.dataset.build ?? ''
  const page = readPage(new DOMParser().parseFromString(await answer.text(), 'text/html'), build)
  return page?.screen === 'activities' ? page.content.events : null
}
