import type { Window } from '../../../../shared/range.ts'
import { bucketCount } from '../../buckets.ts'
import type { ServiceMetrics } from '../../event-store.ts'
import { compareText } from '../compare-text.ts'
import { maxServices } from '../list-limits.ts'
import { countsOf, emptySketch } from '../request-sketch.ts'
import type { EventReader } from './event-reader.ts'
import { createLimitedMap } from './limited-map.ts'
import { bucketFinder, bucketsOf } from './times.ts'

/** See `EventStore`. */
export async function services(
  { failureIndex, visitEvents, visitRequests }: EventReader,
  window: Window,
  bucketMs: number,
): Promise<ServiceMetrics[]> {
  const { stateOf } = await failureIndex()
  const length = bucketCount(window, bucketMs)
  const bucketAt = bucketFinder(bucketsOf(window, bucketMs))
  const services = createLimitedMap<Service>(2 * maxServices, byImportance)
  await visitEvents({ window, bucketMs }, ({ service: name, release, fingerprint, isError }) => {
    const serviceOf = services.finder(name, () => emptyService(name, length))
    const isFailure = fingerprint !== null && stateOf(fingerprint) === 'open'
    return (timeUs, count) => {
      const service = serviceOf()
      const bucket = bucketAt(timeUs)
      service.sparkline[bucket] = (service.sparkline[bucket] ?? 0) + count
      service.events += count
      if (isFailure) service.failures += count
      if (isError) service.errors += count
      if (timeUs > service.newestUs) service.newestUs = timeUs
      if (release !== null && timeUs > service.releaseUs)
        Object.assign(service, { release, releaseUs: timeUs })
    }
  })
  const listed = services.values().sort(byImportance).slice(0, maxServices)
  const sketches = new Map(listed.map(({ service }) => [service, emptySketch()]))
  await visitRequests({ window, service: null }, { bucketMs: null, grouping: 'service' }, ({ service }) => {
    const sketch = sketches.get(service)
    return sketch === undefined ? null : () => sketch
  })
  return listed
    .sort((a, b) => compareText(a.service, b.service))
    .map(({ service, release, events, failures, sparkline, newestUs }) => ({
      service,
      release,
      events,
      failures,
      ...countsOf(sketches.get(service) ?? emptySketch()),
      sparkline,
      lastSeenMs: newestUs / 1000,
    }))
}

type Service = Pick<
  ServiceMetrics,
  'service' | 'release' | 'events' | 'failures' | 'errors' | 'sparkline'
> & {
  /** The time of the newest event. */
  newestUs: number
  /** The time of the newest event with a release. */
  releaseUs: number
}

function emptyService(service: string, buckets: number): Service {
  return {
    service,
    release: null,
    events: 0,
    failures: 0,
    errors: 0,
    sparkline: Array.from({ length: buckets }, () => 0),
    newestUs: Number.NEGATIVE_INFINITY,
    releaseUs: Number.NEGATIVE_INFINITY,
  }
}

function byImportance(a: Service, b: Service): number {
  return (
    b.failures - a.failures || b.errors - a.errors || b.events - a.events || compareText(a.service, b.service)
  )
}
