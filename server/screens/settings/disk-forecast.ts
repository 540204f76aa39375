import { dayMs, halfHourMs } from '../../../shared/duration-units.ts'
import { formatBytes, pluralise } from '../../../shared/format.ts'
import type { RetentionLimits } from '../../../shared/retention-limits.ts'
import type { Store, StoreStats } from '../../store/store.ts'

/** Long enough to include a weekend, when many teams have less traffic. */
const maxObservedMs = 7 * dayMs

/**
 * Returns the disk space that a day of events needs, and which limit on retention applies first and when. Returns `null` if
 * the store contains less than a day of events.
 */
export async function diskForecast(
  store: Pick<Store, 'histogram'>,
  { events, diskBytes, oldestMs }: StoreStats,
  { maxAgeMs, maxBytes }: RetentionLimits,
  nowMs: number,
): Promise<string | null> {
  if (oldestMs === null || nowMs - oldestMs < dayMs) return null
  const fromMs = Math.floor(Math.max(oldestMs, nowMs - maxObservedMs) / halfHourMs) * halfHourMs
  const window = { fromMs, toMs: nowMs }
  const buckets = await store.histogram({ window, query: { kind: 'all' } }, nowMs - fromMs)
  const recent = buckets.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0)
  if (recent === 0) return null
  const bytesPerDay = ((diskBytes / events) * recent * dayMs) / (nowMs - fromMs)
  const rate = `Events need about ${formatBytes(Math.round(bytesPerDay))} per day`
  const bytesAtMaxAge = Math.round((bytesPerDay * maxAgeMs) / dayMs)
  if (bytesAtMaxAge < maxBytes) {
    return `${rate}. The age limit applies first, at about ${formatBytes(bytesAtMaxAge)}.`
  }
  const hours = (24 * maxBytes) / bytesPerDay
  const until =
    hours < 48 ? pluralise(Math.max(1, Math.round(hours)), 'hour') : pluralise(Math.round(hours / 24), 'day')
  return `${rate}. The size limit applies first, after about ${until}.`
}
