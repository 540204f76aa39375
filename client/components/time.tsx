import { formatAgo, formatDate, formatInstant, formatTime } from '../../shared/format.ts'
import { usePage } from '../page.ts'

type Precision = 'minute' | 'second' | 'millisecond'

/** A time of day in the visitor's zone, with the date where it is another day than the page's; the exact instant on hover. */
export function Time({ ms, precision = 'second' }: { ms: number; precision?: Precision }) {
  const { preferences, nowMs } = usePage()
  const date = formatDate(ms, preferences)
  return (
    <time className="time" dateTime={isoInstant(ms)} title={formatInstant(ms, preferences)}>
      {date !== formatDate(nowMs, preferences) && <span className="time-date">{date} </span>}
      {formatTime(ms, preferences, precision)}
    </time>
  )
}

/** How long ago it was, counted from the page's clock; the exact instant on hover. */
export function Ago({ ms }: { ms: number }) {
  const { preferences, nowMs } = usePage()
  return (
    <time className="ago" dateTime={isoInstant(ms)} title={formatInstant(ms, preferences)}>
      {formatAgo(ms, nowMs)}
    </time>
  )
}

function isoInstant(ms: number): string {
  return new Date(ms).toISOString()
}
