import type { Events } from './events.ts'
import type { Normalise } from './normalise.ts'

/** A line that the logger wrote, as an object, and its length. */
export type OfferLine = (record: object, sizeBytes: number) => void

/**
 * The way in of Sixpane's own lines. The logger is there before the queue is: what is written until `connect`
 * waits, a bounded number of lines.
 */
export function ownEvents() {
  let early: [object, number][] = []
  let pass: OfferLine = (record, sizeBytes) => {
    if (early.length < 1000) early.push([record, sizeBytes])
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
