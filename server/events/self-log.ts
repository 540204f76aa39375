import type { OfferLine } from '../logger.ts'
import type { Events } from './events.ts'
import type { Normalise } from './normalise.ts'

/** Stores at most this many lines from before the queue exists. */
const maxEarlyLines = 1000

/** Makes events of Sixpane's own log. The logger exists before the queue: lines until `connect` wait in memory. */
export function createSelfLog() {
  let early: [object, number][] = []
  let pass: OfferLine = (record, sizeBytes) => {
    if (early.length < maxEarlyLines) early.push([record, sizeBytes])
  }
  return {
    offer: (record: object, sizeBytes: number) => pass(record, sizeBytes),
    connect(events: Pick<Events, 'enqueueBestEffort'>, normalise: Normalise) {
      pass = (record, sizeBytes) => events.enqueueBestEffort(normalise(record, 'own', Date.now()), sizeBytes)
      for (const [record, sizeBytes] of early) pass(record, sizeBytes)
      early = []
    },
  }
}
