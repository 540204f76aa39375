import type { OnLine } from '../logger.ts'
import type { Events } from './events.ts'
import type { Normalise } from './normalise.ts'

/** Maximum number of lines to buffer until the queue exists. */
const maxEarlyLines = 1000

/** Stores Sixpane's own log lines as events. The logger exists before the queue, so lines are buffered until `connect`. */
export function createSelfLog() {
  let early: [object, number][] = []
  let enqueue: OnLine = (record, sizeBytes) => {
    if (early.length < maxEarlyLines) early.push([record, sizeBytes])
  }
  return {
    enqueue: (record: object, sizeBytes: number) => enqueue(record, sizeBytes),
    connect(events: Pick<Events, 'enqueueBestEffort'>, normalise: Normalise) {
      enqueue = (record, sizeBytes) =>
        events.enqueueBestEffort(normalise(record, 'own', Date.now()), sizeBytes)
      for (const [record, sizeBytes] of early) enqueue(record, sizeBytes)
      early = []
    },
  }
}
