import { formatDuration } from '../../../shared/format.ts'
import { Notice } from '../../components/notice.tsx'

/** A batch or a retry takes a while; more than this is worth a word. */
const lateMs = 60_000
/** No event arrives before it happens. */
const aheadMs = 2_000

/** Says where the time of an event and its arrival do not agree: a clock that is off, or a long way. */
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
