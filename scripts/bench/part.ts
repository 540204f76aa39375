import type { Measurement } from './rows.ts'
import type { LargeStore } from './stores.ts'

/** Data and functions that the parts of the benchmark share. */
export type Bench = {
  isShort: boolean
  /** The number of measurements of each value. The table shows their median. */
  rounds: number
  /** The number of events in the large store. */
  events: number
  /** The number of events in an even larger store; 0 if there is none. */
  largestEvents: number
  /** A temporary folder. */
  folder: string
  /** Returns the large store. Seeds it on the first call. */
  largeStore: () => Promise<LargeStore>
  /** Reports progress on standard error, because standard output is for the table. */
  report: (text: string) => void
}

export type Part = { run: (bench: Bench) => Promise<Measurement[]> }
