import { availableParallelism, totalmem } from 'node:os'

/** The goals apply to a store with this number of events. */
export const goalEvents = 10_000_000

/** Describes the run and the machine, but does not name the machine. */
export function describeRun(events: number) {
  const cores = availableParallelism()
  const memoryGb = Math.round(totalmem() / 1e9)
  const caveat =
    events < goalEvents
      ? ` The goals are for ${goalEvents.toLocaleString('en')} events, so this run cannot show whether they are met.`
      : ''
  const date = new Date().toISOString().slice(0, 10)
  return {
    date,
    cores,
    memoryGb,
    node: process.version,
    events,
    text: `Measured on ${date} with ${cores} cores, ${memoryGb} GB of memory, Node ${process.versions.node} and ${events.toLocaleString('en')} events.${caveat}`,
  }
}
