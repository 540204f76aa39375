import { dayMs, halfHourMs, minuteMs } from '../../../shared/duration-units.ts'
import type { FailureRow } from '../../../shared/failure.ts'
import { formatDay, formatDuration } from '../../../shared/format.ts'
import type { HtmlFragment } from '../../../shared/html-fragment.ts'
import { paths } from '../../../shared/paths.ts'
import type { Clock } from '../../../shared/preferences.ts'
import { withTerm } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import { type Bucket, bucketsOf, withLinks } from '../../charts/buckets.ts'
import { drawSeries } from '../../charts/draw-series.ts'
import { startOfDay } from '../../charts/ticks.ts'
import type { Store } from '../../store/store.ts'
import { bucketMsFor } from '../buckets.ts'
import type { ScreenRequest } from '../screen.ts'

const maxBuckets = 30
/** From this age, the chart of a failure has one bar per day. */
const minDailyAgeMs = 7 * dayMs

/**
 * Draws a chart of the occurrences in the last thirty days, with one bar per day. For a failure younger than `minDailyAgeMs`,
 * the chart covers the time since the failure was first seen, but at least half an hour. Each bar then covers less than a
 * day. Each bar links to its occurrences.
 */
export async function drawOccurrences(
  { id, firstSeenMs, lastSeenMs }: Pick<FailureRow, 'id' | 'firstSeenMs' | 'lastSeenMs'>,
  { preferences, nowMs, signal }: ScreenRequest,
  store: Pick<Store, 'histogram'>,
): Promise<HtmlFragment> {
  const isDaily = nowMs - firstSeenMs >= minDailyAgeMs
  const { buckets, bucketMs } = isDaily
    ? { buckets: lastDays(nowMs, preferences), bucketMs: dayMs }
    : bucketsSince(firstSeenMs, nowMs, preferences)
  const window = { fromMs: buckets[0]?.fromMs ?? nowMs, toMs: nowMs }
  const query = { kind: 'field', field: 'failure', comparison: '=', value: id } as const
  // Without the time after the last occurrence, the store can reuse its result.
  const countedToMs = Math.max(window.fromMs, Math.min(nowMs, Math.floor(lastSeenMs) + 1))
  const counted = await store.histogram(
    { window: { ...window, toMs: countedToMs }, query },
    // Daylight saving time shifts clocks by multiples of half an hour.
    isDaily ? halfHourMs : bucketMs,
    signal,
  )
  const counts = counted.map(({ startMs, counts }) => ({
    startMs,
    count: Object.values(counts).reduce((sum, count) => sum + count, 0),
  }))
  const countOf = ({ fromMs, toMs }: Window) =>
    counts.reduce((sum, { startMs, count }) => (startMs >= fromMs && startMs < toMs ? sum + count : sum), 0)
  const unit = isDaily ? 'per day' : `per ${formatDuration(bucketMs)}`
  return drawSeries(
    {
      name: 'failure-occurrences',
      title: `Occurrences ${unit}`,
      unit,
      window,
      nowMs,
      bucketMs,
      clock: preferences,
      kind: 'bar',
      format: 'count',
      series: [{ name: 'Occurrences', tone: 'bad', values: buckets.map(countOf) }],
    },
    withLinks(buckets, paths.activitiesForWindow(withTerm('', 'failure', id))),
  )
}

/** Returns the last thirty days in the visitor's time zone, oldest first. Days with a clock change are longer or shorter. */
function lastDays(nowMs: number, clock: Clock): Bucket[] {
  const days: Window[] = [{ fromMs: startOfDay(nowMs, clock), toMs: nowMs }]
  for (let [next] = days; next !== undefined && days.length < maxBuckets; [next] = days) {
    days.unshift({ fromMs: startOfDay(next.fromMs - 1, clock), toMs: next.fromMs })
  }
  return days.map(day => ({ ...day, label: formatDay(day.fromMs, clock), href: null }))
}

/** Divides the time since the failure was first seen, but at least half an hour, into buckets that start at round times. */
function bucketsSince(firstSeenMs: number, nowMs: number, clock: Clock) {
  const age = { fromMs: Math.min(firstSeenMs, nowMs - maxBuckets * minuteMs), toMs: nowMs }
  const bucketMs = bucketMsFor(age, maxBuckets)
  const window = { fromMs: Math.floor(age.fromMs / bucketMs) * bucketMs, toMs: nowMs }
  const count = Math.ceil((nowMs - window.fromMs) / bucketMs)
  return { buckets: bucketsOf({ window, bucketMs, clock }, count), bucketMs }
}
