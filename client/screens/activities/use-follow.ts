import { startTransition, useEffect, useReducer, useState } from 'react'
import type { EventRow } from '../../../shared/event.ts'
import { announce } from '../../announce.ts'
import { parseGap, parseLiveEvents } from '../../live-messages.ts'
import { type LiveRows, liveRows, noLiveRows } from './live-rows.ts'

/** Interval between announcements of new events to screen readers. */
const announceEveryMs = 10_000

export type Follow = {
  on: boolean
  /** `lost`: the browser is reconnecting; `ended`: it has given up. */
  connection: 'opening' | 'open' | 'lost' | 'ended'
  live: LiveRows
  toggle(): void
  /** Shows the hidden events. */
  show(): void
  /** Fills the gap below an event. */
  fill(below: number, events: readonly EventRow[]): void
}

/**
 * Follows a live feed while switched on. New events are hidden while `isReading` returns true, so the rows do not move.
 * EventSource reconnects automatically and resumes after the last event.
 */
export function useFollow(href: string | null, isReading: () => boolean): Follow {
  const [on, setOn] = useState(false)
  const [connection, setConnection] = useState<Follow['connection']>('opening')
  const [live, dispatch] = useReducer(liveRows, noLiveRows)

  useEffect(() => {
    if (!on || href === null) return
    let arrived = 0
    dispatch({ kind: 'start', href })
    setConnection('opening')
    const source = new EventSource(href)
    source.addEventListener('open', () => setConnection('open'))
    source.addEventListener('error', () =>
      setConnection(source.readyState === EventSource.CLOSED ? 'ended' : 'lost'),
    )
    source.addEventListener('events', ({ data }) => {
      const events = parseLiveEvents(String(data))
      if (events === null) return
      arrived += events.length
      // A transition keeps scrolling and typing responsive while many rows render.
      startTransition(() => dispatch({ kind: 'events', events, held: isReading() }))
    })
    source.addEventListener('gap', ({ data }) => {
      const missed = parseGap(String(data))
      if (missed !== null) startTransition(() => dispatch({ kind: 'gap', missed }))
    })
    const announceTimer = setInterval(() => {
      if (arrived > 0) announce(arrived === 1 ? '1 new event' : `${arrived} new events`)
      arrived = 0
    }, announceEveryMs)
    return () => {
      clearInterval(announceTimer)
      source.close()
    }
  }, [on, href, isReading])

  return {
    on: on && href !== null,
    connection,
    // Rows of another feed belong to another search or page.
    live: live.href === href ? live : noLiveRows,
    toggle() {
      announce(on ? 'Live updates off' : 'Live updates on: new events appear at the top')
      setOn(!on)
    },
    show: () => dispatch({ kind: 'show' }),
    fill: (below, events) => dispatch({ kind: 'fill', below, events }),
  }
}
