import { paths } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import type { DashboardContent, RecordedFigure } from '../../../shared/screens/dashboard.ts'
import type { Context } from '../../context.ts'
import { selfMetricsQuery, selfMetricsSearch } from '../../self-metrics/self-metrics.ts'
import type { AttributeSeries } from '../../store/event-store.ts'
import { bucketMsFor } from '../buckets.ts'

/** What of the figures of each minute is shown over time. */
const shown: readonly (AttributeSeries & { figure: RecordedFigure })[] = [
  { figure: 'eventLoopDelayMs', path: 'process.eventLoopDelayMs', of: 'highest' },
  { figure: 'cpuRatio', path: 'process.cpuRatio', of: 'mean' },
  { figure: 'heapUsedBytes', path: 'process.heapUsedBytes', of: 'highest' },
  { figure: 'rssBytes', path: 'process.rssBytes', of: 'highest' },
  { figure: 'accepted', path: 'ingest.accepted', of: 'sum' },
  { figure: 'refused', path: 'ingest.refused', of: 'sum' },
  { figure: 'passedOver', path: 'ingest.passedOver', of: 'sum' },
  { figure: 'dropped', path: 'ingest.dropped', of: 'sum' },
  { figure: 'diskBytes', path: 'store.diskBytes', of: 'highest' },
  { figure: 'questionMs', path: 'store.questionMs', of: 'mean' },
]

/** What Sixpane wrote down of itself over the window, in at most thirty steps of a minute or more. */
export async function recordedFigures(
  { store }: Pick<Context, 'store'>,
  window: Window,
  signal: AbortSignal,
): Promise<DashboardContent['recorded']> {
  const bucketMs = Math.max(bucketMsFor(window, 30), 60_000)
  const rows = await store.attributeSeries({ window, query: selfMetricsQuery }, shown, bucketMs, signal)
  const series: DashboardContent['recorded']['series'] = {}
  for (const [index, { figure }] of shown.entries()) {
    // Three digits draw the same line, and are a third of the page's weight.
    series[figure] = rows[index]?.map(value => (value === null ? null : Number(value.toPrecision(3))))
  }
  return { series, eventsHref: paths.activities({ q: selfMetricsSearch, range: window }) }
}

/** What came in since the start, and what is kept. */
export async function ingestFigures({ events, store }: Pick<Context, 'events' | 'store'>) {
  const { perSecond, ...counts } = events.counts()
  const { events: kept, diskBytes, oldestMs } = await store.stats()
  return { eventsPerSecond: perSecond, ...counts, diskBytes, kept, oldestMs }
}
