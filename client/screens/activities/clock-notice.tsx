import { formatDuration } from '../../../shared/format.ts'
import { Notice } from '../../components/notice.tsx'

/** Shorter delays are normal, because of batches and retries. */
const lateMs = 60_000

/**
 * Explains why an event arrived long after its timestamp: a slow clock or a late delivery. No stored time is more than a second
 * after the arrival, so a fast clock needs no explanation.
 */
export function ClockNotice({ lateByMs }: { lateByMs: number | null }) {
  if (lateByMs === null || lateByMs < lateMs) return null
  return (
    <Notice tone="neutral" title={`Received ${formatDuration(lateByMs)} late`}>
      The event was sent late, or the sender’s clock is slow, so the event may appear too early among events
      of other services.
    </Notice>
  )
}
