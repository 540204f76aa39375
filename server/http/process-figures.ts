import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { DashboardContent } from '../../shared/content.ts'

/** Figures of this process, as the dashboard shows them. */
export type ProcessFigures = { read(): DashboardContent['process']; stop(): void }

/** Starts measuring; CPU and event-loop delay are of the time since the previous reading, a second at least. */
export function measureProcess(): ProcessFigures {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let since = { atMs: performance.now(), cpu: process.cpuUsage() }
  let last = { eventLoopDelayMs: 0, cpuRatio: 0 }

  return {
    read() {
      const elapsedMs = performance.now() - since.atMs
      if (elapsedMs >= 1000) {
        const used = process.cpuUsage(since.cpu)
        last = {
          cpuRatio: (used.user + used.system) / 1000 / elapsedMs,
          eventLoopDelayMs: delay.percentile(99) / 1e6,
        }
        delay.reset()
        since = { atMs: performance.now(), cpu: process.cpuUsage() }
      }
      const memory = process.memoryUsage()
      return {
        ...last,
        heapUsedBytes: memory.heapUsed,
        rssBytes: memory.rss,
        uptimeMs: process.uptime() * 1000,
      }
    },
    stop: () => delay.disable(),
  }
}
