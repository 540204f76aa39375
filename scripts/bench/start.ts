import { setTimeout as wait } from 'node:timers/promises'
import { paths } from '../../shared/paths.ts'
import { median } from './median.ts'
import type { Part } from './part.ts'
import { residentMb } from './process-stats.ts'
import { serveSixpane } from './processes.ts'

/** The wait before the memory is measured, so that the server can complete its startup work. */
const settleMs = 2000

/** Measures the startup time and the memory with the large store. */
export const start: Part = {
  async run({ largeStore, rounds, isShort }) {
    const { folder } = await largeStore()
    const durationsMs: number[] = []
    const memoryMb: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const startedMs = performance.now()
      const { origin, pid, stop } = await serveSixpane(folder)
      const response = await fetch(origin + paths.readyz())
      if (!response.ok) throw new Error(`${paths.readyz()} returned status ${response.status}`)
      durationsMs.push(performance.now() - startedMs)
      if (!isShort) await wait(settleMs)
      memoryMb.push(await residentMb(pid))
      await stop()
    }
    return [
      { id: 'memoryAfterStart', value: median(memoryMb) },
      { id: 'ready', value: median(durationsMs) },
    ]
  },
}
