import { formatDuration } from '../../../shared/format.ts'
import { Notice } from '../../components/notice.tsx'

/** Shorter delays are normal, because of batches and retries. */
const lateMs = 60_000
/** Tolerance for events that arrive before their timestamp. */
const aheadMs = 2_000

/** Explains a difference between an event's timestamp and its arrival: a wrong clock or a late delivery. */
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
        : 'The event was sent late, or the sender’s clock is slow, so the event may appear too early among events of other services.'}
    </Notice>
  )
}
