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
          ? `It arrived ${formatDuration(-lateByMs)} before its time`
          : `It arrived ${formatDuration(lateByMs)} after its time`
      }
    >
      {lateByMs < 0
        ? 'The clock of its writer is ahead: beside events of others it stands too late.'
        : 'It was sent late, or the clock of its writer is behind: beside events of others it may stand too early.'}
    </Notice>
  )
}
