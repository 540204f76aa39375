import { startTransition, useEffect, useReducer, useRef, useState } from 'react'
import type { EventRow } from '../../../shared/event.ts'
import { pluralise } from '../../../shared/format.ts'
import { announce } from '../../announce.ts'
import { type Connection, followFeed } from '../../follow-feed.ts'
import type { FeedMessage } from '../../read-feed.ts'
import { EventRate } from './event-rate.ts'
import { limitDraws } from './limit-draws.ts'
import { type LiveRows, liveRows, noLiveRows } from './live-rows.ts'

/** Interval between announcements of new events to screen readers. */
const announceEveryMs = 10_000
/** Nobody can read faster updates, and each update keeps the browser busy. */
const drawEveryMs = 500
/** The lowest rate that is shown, in events per second. */
const minShownRate = 50

export type Follow = {
  on: boolean
  connection: Connection
  live: LiveRows
  /** New events per second, or `null` if they are few enough to read. */
  perSecond: number | null
  toggle(): void
  /** Shows the hidden events. */
  show(): void
  /** Fills the gap below an event. */
  fill(below: number, events: readonly EventRow[]): void
}

function afterDrawInterval(end: () => void): () => void {
  const timer = setTimeout(end, drawEveryMs)
  return () => clearTimeout(timer)
}

/**
 * Follows a live feed while switched on. New events are hidden while `isReading` returns true, so the rows do not move.
 * After a pause, the feed resumes after the last event.
 * @param canFollow whether new events can still arrive. If not, the feed ends, but its rows stay.
 */
export function useFollow(href: string | null, canFollow: boolean, isReading: () => boolean): Follow {
  const [isWanted, setWanted] = useState(false)
  const on = isWanted && canFollow
  const [connection, setConnection] = useState<Connection>('opening')
  const [live, dispatch] = useReducer(liveRows, noLiveRows)
  const [perSecond, setPerSecond] = useState<number | null>(null)
  /** The position of the last drawn message of a feed. */
  const resume = useRef<{ href: string; after: string } | null>(null)

  useEffect(() => {
    if (!on || href === null) return
    let arrived = 0
    dispatch({ kind: 'start', href })
    setPerSecond(null)
    const url = new URL(href, location.href)
    // `href` contains the position at which the page was loaded. From that position, the feed would repeat events that were
    // already received, or count them as missing.
    if (resume.current?.href === href) url.searchParams.set('after', resume.current.after)
    else resume.current = null
    const rate = new EventRate()
    const draws = limitDraws<FeedMessage>(messages => {
      const isHidden = isReading()
      // A transition keeps scrolling and typing responsive while many rows render.
      startTransition(() => {
        for (const message of messages) {
          resume.current = { href, after: message.after }
          dispatch({ ...message, kind: 'events', isHidden })
        }
      })
    }, afterDrawInterval)
    let catchesUp = true
    const onConnection = (connection: Connection) => {
      if (connection !== 'open') catchesUp = true
      setConnection(connection)
    }
    const stop = followFeed(url, onConnection, message => {
      const { missed, events } = message
      arrived += events.length
      // The first message of a connection contains the events since the last one.
      if (!catchesUp) rate.add(missed + events.length, performance.now())
      catchesUp = false
      draws.add(message)
    })
    const rateTimer = setInterval(() => {
      const current = Math.round(rate.perSecond(performance.now()))
      setPerSecond(current < minShownRate ? null : current)
    }, 1000)
    const announceTimer = setInterval(() => {
      if (arrived > 0) announce(pluralise(arrived, 'new event'))
      arrived = 0
    }, announceEveryMs)
    return () => {
      clearInterval(announceTimer)
      clearInterval(rateTimer)
      draws.stop()
      stop()
    }
  }, [on, href, isReading])

  return {
    on,
    connection,
    // Rows of another feed belong to another search or page.
    live: live.href === href ? live : noLiveRows,
    perSecond: on ? perSecond : null,
    toggle() {
      announce(on ? 'Live updates off' : 'Live updates on: new events appear at the top')
      setWanted(!on)
    },
    show: () => dispatch({ kind: 'show' }),
    fill: (below, events) => dispatch({ kind: 'fill', below, events }),
  }
}
