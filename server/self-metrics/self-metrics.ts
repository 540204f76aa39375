import { ownService } from '../../shared/event.ts'
import { totalIgnored } from '../../shared/ignored.ts'
import { fieldEquals, type Query } from '../../shared/query.ts'
import type { Build } from '../build.ts'
import type { Events } from '../events/events.ts'
import type { Normalise } from '../events/normalise.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { measureProcess } from './process-metrics.ts'

const message = 'Figures of the last minute'

/** Matches the events that contain Sixpane's metrics. `selfMetricsSearch` is the same search as text. */
export const selfMetricsQuery: Query = {
  kind: 'and',
  left: { kind: 'field', field: 'source', comparison: '=', value: 'own' },
  right: fieldEquals('message', message),
}
export const selfMetricsSearch = `source:own message:"${message}"`

/**
 * Records the metrics of this process as an event every minute, so that the dashboard can show their history across
 * restarts and processes. Returns a function that stops recording.
 */
export function startSelfMetrics({
  build,
  events,
  store,
  normalise,
  logger,
  everyMs = 60_000,
}: {
  build: Pick<Build, 'version'>
  events: Pick<Events, 'counts' | 'enqueueBestEffort'>
  store: Pick<Store, 'stats'>
  normalise: Normalise
  logger: Pick<Logger, 'error'>
  everyMs?: number
}): () => void {
  // Separate from the dashboard's measurement, because each reading starts a new period.
  const metrics = measureProcess()
  let since = { ...events.counts(), queries: 0, queriesMs: 0 }

  const record = async () => {
    const { diskBytes, events: storedEvents, queries, queriesMs } = await store.stats()
    const { accepted, rejected, ignored, dropped } = events.counts()
    const newQueries = queries - since.queries
    const line = {
      level: 'debug',
      name: ownService,
      version: build.version,
      msg: message,
      process: Object.fromEntries(
        Object.entries(metrics.read()).map(([name, value]) => [name, rounded(value)]),
      ),
      // The dashboard also reads events that earlier versions recorded, so these names must not change.
      ingest: {
        accepted: accepted - since.accepted,
        refused: rejected - since.rejected,
        passedOver: totalIgnored(ignored) - totalIgnored(since.ignored),
        dropped: dropped - since.dropped,
      },
      store: {
        events: storedEvents,
        diskBytes,
        questions: newQueries,
        questionMs: newQueries > 0 ? rounded((queriesMs - since.queriesMs) / newQueries) : undefined,
      },
    }
    since = { ...events.counts(), queries, queriesMs }
    events.enqueueBestEffort(normalise(line, 'own', Date.now()), JSON.stringify(line).length)
  }
  const timer = setInterval(() => {
    record().catch(err => logger.error({ err }, 'Failed to record self-metrics'))
  }, everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    metrics.stop()
  }
}

/** Rounds a number, so that a search for a digest does not match the digits of a long fraction. */
function rounded(value: number): number {
  return Number(value.toFixed(4))
}
