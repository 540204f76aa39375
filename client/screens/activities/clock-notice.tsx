import { formatDuration } from '../../../shared/format.ts'
import { Notice } from '../../components/notice.tsx'

/** Batches and retries delay events; only a longer delay is reported. */
const lateMs = 60_000
/** Tolerance for events that arrive before their own time. */
const aheadMs = 2_000

/** Warns if an event's time and its arrival differ: a wrong clock or late delivery. */
export function ClockNotice({ lateByMs }: { lateByMs: number | null }) {
  if (lateByMs === null || (lateByMs < lateMs && lateByMs > -aheadMs)) return null
  return (
    <Notice
      tone="neutral"
      title={
        lateByMs < 0
          ? `Received ${formatDuration(-lateByMs)} before its timestamp`
          : `Received ${formatDuration(lateByMs)} late`
      }
    >
      {lateByMs < 0
        ? 'The sender’s clock is fast, so the event appears too late among events of other services.'
        : 'It was sent late, or the sender’s clock is slow. It may appear too early among events of other services.'}
    </Notice>
  )
}
