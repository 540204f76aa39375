import { paths } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import type { RecordedMetric, SelfContent } from '../../../shared/screens/dashboard.ts'
import type { Context } from '../../context.ts'
import { selfMetricsQuery, selfMetricsSearch } from '../../self-metrics/self-metrics.ts'
import type { AttributeSeries } from '../../store/event-store.ts'

/** The recorded metrics that the dashboard shows over time. `path` is the event attribute that contains the metric. */
const shown: readonly (AttributeSeries & { metric: RecordedMetric })[] = [
  { metric: 'eventLoopDelayMs', path: 'process.eventLoopDelayMs', aggregate: 'highest' },
  { metric: 'cpuRatio', path: 'process.cpuRatio', aggregate: 'mean' },
  { metric: 'heapUsedBytes', path: 'process.heapUsedBytes', aggregate: 'highest' },
  { metric: 'rssBytes', path: 'process.rssBytes', aggregate: 'highest' },
  { metric: 'accepted', path: 'ingest.accepted', aggregate: 'sum' },
  { metric: 'rejected', path: 'ingest.refused', aggregate: 'sum' },
  { metric: 'ignored', path: 'ingest.passedOver', aggregate: 'sum' },
  { metric: 'dropped', path: 'ingest.dropped', aggregate: 'sum' },
  { metric: 'diskBytes', path: 'store.diskBytes', aggregate: 'highest' },
  { metric: 'queryMs', path: 'store.questionMs', aggregate: 'mean' },
]

/** The window of the charts, and the time between two points. */
type Timeline = { window: Window; pointMs: number }

/** Returns the current metrics of Sixpane's process and store, and their history. */
export async function selfMetrics(
  context: Context,
  timeline: Timeline,
  signal: AbortSignal,
): Promise<SelfContent> {
  const [recorded, ingest] = await Promise.all([
    recordedMetrics(context, timeline, signal),
    ingestMetrics(context),
  ])
  return { process: context.process.read(), recorded, ingest }
}

/** Returns the self-metrics recorded in the window. Points are at least one minute apart. */
async function recordedMetrics(
  { store }: Pick<Context, 'store'>,
  { window, pointMs }: Timeline,
  signal: AbortSignal,
): Promise<SelfContent['recorded']> {
  const bucketMs = Math.max(pointMs, 60_000)
  const rows = await store.attributeSeries({ window, query: selfMetricsQuery }, shown, bucketMs, signal)
  const series: SelfContent['recorded']['series'] = {}
  for (const [index, { metric }] of shown.entries()) {
    // Rounding to three digits does not change the line, but makes the page smaller.
    series[metric] = rows[index]?.map(value => (value === null ? null : Number(value.toPrecision(3))))
  }
  return { series, eventsHref: paths.activities({ q: selfMetricsSearch, range: window }) }
}

/** Returns the ingest counts since the server started, and the store size. */
async function ingestMetrics({
  events,
  store,
}: Pick<Context, 'events' | 'store'>): Promise<SelfContent['ingest']> {
  const { perSecond, accepted, rejected, ignored, dropped } = events.counts()
  const { events: stored, diskBytes, oldestMs } = await store.stats()
  return {
    eventsPerSecond: perSecond,
    accepted,
    rejected,
    ignored,
    dropped,
    diskBytes,
    stored,
    oldestMs,
  }
}
