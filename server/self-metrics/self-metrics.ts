import { ownService } from '../../shared/event.ts'
import type { Query } from '../../shared/query.ts'
import type { Build } from '../build.ts'
import type { Events } from '../events/events.ts'
import type { Normalise } from '../events/normalise.ts'
import type { Logger } from '../logger.ts'
import type { Store } from '../store/store.ts'
import { measureProcess } from './process-metrics.ts'

const message = 'Figures of the last minute'

/** Finds the events that hold Sixpane's own figures: as a search, and as it is typed. */
export const ownFiguresQuery: Query = {
  kind: 'and',
  left: { kind: 'field', field: 'source', comparison: '=', value: 'own' },
  right: { kind: 'field', field: 'message', comparison: '=', value: message, literal: true },
}
export const ownFiguresSearch = `source:own message:"${message}"`

/**
 * Writes down each minute how this process was, as an event like any other: so the dashboard can show it over time,
 * after a restart and whichever replica is asked. Gives what stops it.
 */
export function startOwnFigures({
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
  // Its own measurement: readings by the dashboard begin another one anew.
  const measured = measureProcess()
  let since = { ...events.counts(), queries: 0, queriesMs: 0 }

  const record = async () => {
    const { diskBytes, events: kept, queries, queriesMs } = await store.stats()
    const { accepted, refused, passedOver, dropped } = events.counts()
    const asked = queries - since.queries
    const line = {
      level: 'debug',
      name: ownService,
      version: build.version,
      msg: message,
      process: measured.read(),
      ingest: {
        accepted: accepted - since.accepted,
        refused: refused - since.refused,
        passedOver: passedOver - since.passedOver,
        dropped: dropped - since.dropped,
      },
      store: {
        events: kept,
        diskBytes,
        questions: asked,
        questionMs: asked > 0 ? (queriesMs - since.queriesMs) / asked : undefined,
      },
    }
    since = { ...events.counts(), queries, queriesMs }
    events.enqueueBestEffort(normalise(line, 'own', Date.now()), JSON.stringify(line).length)
  }
  const timer = setInterval(() => {
    record().catch(err => logger.error({ err }, 'Failed to write down the figures of a minute'))
  }, everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    measured.stop()
  }
}
