import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { SelfContent } from '../../shared/screens/dashboard.ts'

/** Metrics of this process, in the dashboard's format. */
export type ProcessMetrics = { read(): SelfContent['process']; stop(): void }

type DelayHistogram = Pick<ELDHistogram, 'enable' | 'disable' | 'percentile' | 'reset'>

const resolutionMs = 20

/**
 * Starts measuring. CPU time and event-loop delay cover the time since the previous measurement. Measures at most once per
 * second, because the system calls are slow.
 */
export function measureProcess(
  delay: DelayHistogram = monitorEventLoopDelay({ resolution: resolutionMs }),
): ProcessMetrics {
  delay.enable()
  let since = { timestampMs: performance.now(), cpu: process.cpuUsage() }
  let last = { eventLoopDelayMs: 0, cpuRatio: 0, ...memory() }

  return {
    read() {
      const elapsedMs = performance.now() - since.timestampMs
      if (elapsedMs >= 1000) {
        const used = process.cpuUsage(since.cpu)
        last = {
          cpuRatio: (used.user + used.system) / 1000 / elapsedMs,
          // The histogram contains the intervals between samples, which include the resolution.
          eventLoopDelayMs: Math.max(0, delay.percentile(99) / 1e6 - resolutionMs),
          ...memory(),
        }
        delay.reset()
        since = { timestampMs: performance.now(), cpu: process.cpuUsage() }
      }
      return { ...last, uptimeMs: process.uptime() * 1000 }
    },
    stop: () => delay.disable(),
  }
}

function memory() {
  const { heapUsed, rss } = process.memoryUsage()
  return { heapUsedBytes: heapUsed, rssBytes: rss }
}
