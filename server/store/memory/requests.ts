import type { LogEvent } from '../../../shared/event.ts'
import { compareRoutes } from '../common/compare-routes.ts'
import { groupBy } from '../common/group-by.ts'
import { addRequest, countsOf, emptySketch, type RequestSketch, seriesOf } from '../common/request-sketch.ts'
import type { EventStore, RequestCounts, RequestFilter } from '../event-store.ts'
import { byBucket } from './buckets.ts'
import type { Memory, Run } from './memory.ts'
import { eventsOfServices } from './select-events.ts'

export function memoryRequests(memory: Memory, run: Run): Pick<EventStore, 'requestSeries' | 'routeMetrics'> {
  return {
    requestSeries: (filter, bucketMs, signal) =>
      run(signal, () => {
        const buckets = byBucket(requestsOf(memory, filter), filter.window, bucketMs)
        return seriesOf(
          buckets.map(({ events }) => sketchOf(events)),
          filter.window.fromMs,
          bucketMs,
        )
      }),
    routeMetrics: (filter, limit, signal) =>
      run(signal, () =>
        groupBy(requestsOf(memory, filter), ({ service, method, route }) => [service, method, route])
          .map(([{ service, method, route }, events]) => ({
            service,
            method,
            route,
            ...requestCounts(events),
          }))
          .sort(compareRoutes)
          .slice(0, limit),
      ),
  }
}

function requestsOf(memory: Memory, filter: RequestFilter): LogEvent[] {
  return eventsOfServices(memory, filter).filter(isRequest)
}

function isRequest({ status, durationMs }: LogEvent): boolean {
  return status !== null && durationMs !== null
}

export function requestCounts(events: readonly LogEvent[]): RequestCounts {
  return countsOf(sketchOf(events))
}

function sketchOf(events: readonly LogEvent[]): RequestSketch {
  const sketch = emptySketch()
  for (const { status, durationMs } of events.filter(isRequest)) {
    addRequest(sketch, durationMs ?? 0, (status ?? 0) >= 500)
  }
  return sketch
}
