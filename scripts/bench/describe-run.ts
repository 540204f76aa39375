import { availableParallelism, totalmem } from 'node:os'

/** Describes the machine and the run, without its name. */
export function describeRun(events: number) {
  const cores = availableParallelism()
  const memoryGb = Math.round(totalmem() / 1e9)
  const date = new Date().toISOString().slice(0, 10)
  return {
    date,
    cores,
    memoryGb,
    node: process.version,
    events,
    text: `Measured on ${date} with ${cores} cores, ${memoryGb} GB of memory, Node ${process.versions.node} and ${events.toLocaleString('en')} events. The load generator ran on the same cores.`,
  }
}
