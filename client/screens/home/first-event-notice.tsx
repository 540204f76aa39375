import { useEffect, useState } from 'react'
import type { EventRow } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'
import { followFeed } from '../../follow-feed.ts'

/** Excludes Sixpane's own events. */
const q = '-source:own'

/** Waits for a service's first event on the live feed, then shows the event. */
export function FirstEventNotice() {
  const [first, setFirst] = useState<EventRow | null>(null)
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    const stop = followFeed(
      paths.live({ q }),
      connection => setWaiting(connection === 'open'),
      ({ events: [event] }) => {
        if (event === undefined) return
        stop()
        setFirst(event)
      },
    )
    return stop
  }, [])

  if (first === null) {
    // Invisible until the feed opens, so the layout does not shift.
    return (
      <p className="home-waiting muted" data-unseen={!isWaiting || undefined}>
        Waiting for the first event…
      </p>
    )
  }
  return (
    <Notice tone="ok" title={`${plainText(first.service)} is connected: first event received`}>
      <p dir="auto">{plainText(first.body).slice(0, 200)}</p>
      <ButtonLink href={paths.activities({ q })}>View in Activities</ButtonLink>
    </Notice>
  )
}
