import { formatAgo, formatDate, formatInstant, formatTime } from '../../shared/format.ts'
import { usePage } from '../page.ts'

type Precision = 'minute' | 'second' | 'millisecond'

/** A time in the visitor's time zone, with the date unless it is today. The tooltip shows the exact time. */
export function Time({ ms, precision = 'second' }: { ms: number; precision?: Precision }) {
  const { preferences, nowMs } = usePage()
  const date = formatDate(ms, preferences)
  const time = formatTime(ms, preferences, precision)
  return (
    // Omits `dateTime` for a 24-hour clock, because that text is already machine-readable and a log page contains hundreds of
    // `<time>` elements.
    <time
      dateTime={preferences.clock === '24h' ? undefined : isoInstant(ms)}
      title={formatInstant(ms, preferences)}
    >
      {date === formatDate(nowMs, preferences) ? time : `${date} ${time}`}
    </time>
  )
}

/** A relative time. The tooltip shows the exact time. */
export function Ago({ ms }: { ms: number }) {
  const { preferences, nowMs } = usePage()
  return (
    <span className="ago" title={formatInstant(ms, preferences)}>
      {formatAgo(ms, nowMs)}
    </span>
  )
}

function isoInstant(ms: number): string {
  return new Date(ms).toISOString()
}
