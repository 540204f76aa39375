import { dayMs } from '../../../shared/duration-units.ts'
import type { EventRow, LogEvent } from '../../../shared/event.ts'
import type { Window } from '../../../shared/range.ts'
import type { RetentionLimits } from '../../../shared/retention-limits.ts'
import { zeroCounts } from '../../../shared/severity.ts'
import { vitalNames } from '../../../shared/vitals.ts'
import { bucketCount } from '../buckets.ts'
import { attributeText } from '../common/attribute-text.ts'
import { compareRoutes } from '../common/compare-routes.ts'
import { compareText } from '../common/compare-text.ts'
import { compareValues } from '../common/compare-values.ts'
import { readCursor, writeCursor } from '../common/cursor.ts'
import { cut } from '../common/cut.ts'
import { groupBy } from '../common/group-by.ts'
import { maxServices } from '../common/list-limits.ts'
import { pageOf } from '../common/page.ts'
import { readPosition, writePosition } from '../common/position.ts'
import { rankSessions, type SessionSum } from '../common/rank-sessions.ts'
import { addRequest, countsOf, emptySketch, type RequestSketch, seriesOf } from '../common/request-sketch.ts'
import { selectsService } from '../common/selects-service.ts'
import { summariseVitals } from '../common/summarise-vitals.ts'
import { acceptedMs, idAt, microsOf } from '../common/time.ts'
import { wellFormed } from '../common/well-formed.ts'
import type {
  EventPage,
  EventQuery,
  EventStore,
  FacetCounts,
  FacetField,
  Filter,
  HistogramBucket,
  LastSeen,
  RequestCounts,
  RequestFilter,
} from '../event-store.ts'
import { stateOf } from '../state/failure-ids.ts'
import { matches } from './match.ts'
import { isInWindow, type Memory, newestFirst, type Run } from './memory.ts'
import { toNumber } from './to-number.ts'

export function memoryEvents(memory: Memory, run: Run, nowMs: () => number): EventStore {
  const inWindow = (window: Window) => memory.events.filter(event => isInWindow(event, window))
  const ofServices = (filter: RequestFilter) =>
    inWindow(filter.window).filter(({ service }) => selectsService(filter, service))
  const matching = ({ window, query }: Filter) =>
    inWindow(window).filter(event => matches(memory, event, query))
  const requests = (filter: RequestFilter) => ofServices(filter).filter(isRequest)

  const page = (query: EventQuery): EventPage<LogEvent> => {
    const before = readCursor(query.before)
    const after = before === null ? readCursor(query.after) : null
    const own = before ?? after
    const matches = matching(query).filter(event => {
      if (own === null) return true
      const order = microsOf(event.timeMs) - own.timeUs || event.id - own.id
      return after === null ? order < 0 : order > 0
    })
    matches.sort((a, b) => (after === null ? newestFirst(a, b) : newestFirst(b, a)))
    return pageOf(matches.slice(0, query.limit + 1), query.limit, before, after)
  }

  const histogram = (filter: Filter, bucketMs: number): HistogramBucket[] =>
    byBucket(matching(filter), filter.window, bucketMs).map(({ startMs, events }) => {
      const counts = zeroCounts()
      for (const { severity } of events) counts[severity] += 1
      return { startMs, counts }
    })

  const facets = (filter: Filter, fields: readonly FacetField[], limit: number): FacetCounts[] => {
    const events = matching(filter)
    return fields.map(field => ({ field, values: facetValues(events, field).slice(0, limit) }))
  }

  const surplus = (limits: RetentionLimits, nowMs: number): Set<LogEvent> => {
    const oldest = { us: microsOf(nowMs - limits.maxAgeMs), id: idAt(nowMs - limits.maxAgeMs) }
    const old = memory.events.filter(({ timeMs, id }) => microsOf(timeMs) < oldest.us || id < oldest.id)
    const deleted = new Set(old)
    const left = memory.events.filter(event => !deleted.has(event))
    let bytes = sizeBytes(left)
    for (const event of left) {
      if (bytes <= limits.maxBytes) break
      bytes -= sizeBytes([event])
      deleted.add(event)
    }
    return deleted
  }

  return {
    append: (events, requestKeys = []) =>
      run(undefined, () => {
        const firstId = Math.max(memory.lastId + 1, idAt(nowMs()))
        const stored = events.map((event, index) => {
          if (!Number.isSafeInteger(microsOf(event.timeMs)))
            throw new RangeError('The time of an event is out of range')
          if (event.status !== null && !Number.isInteger(event.status))
            throw new RangeError('The status of an event is not an integer')
          return { ...wellFormed(event), id: firstId + index }
        })
        memory.events.push(...structuredClone(stored))
        memory.lastId = stored.at(-1)?.id ?? memory.lastId
        const acceptedMs = Math.floor(nowMs())
        memory.requests.push(...requestKeys.map(key => ({ key, acceptedMs })))
        return stored
      }),
    claimRequests: keys =>
      run(undefined, () =>
        keys.map(key => (memory.requests.some(request => request.key === key) ? 'stored' : 'new')),
      ),
    events: (query, signal) =>
      run(signal, () => {
        const { events, ...cursors } = page(query)
        return { events: events.map(event => rowOf(event, query.attributes)), ...cursors }
      }),
    wholeEvents: (query, signal) => run(signal, () => structuredClone(page(query))),
    cursorOf: ({ id, timeMs }) => writeCursor({ timeUs: microsOf(timeMs), id }),
    acceptedMs,
    event: (id, signal) =>
      run(signal, () => structuredClone(memory.events.find(event => event.id === id) ?? null)),
    async since(after, { query, limit, attributes }, signal) {
      const { lastId } = memory
      const end = { lastId, position: writePosition([lastId]) }
      const [afterId = lastId] = readPosition(after ?? '') ?? []
      if (afterId >= lastId) return { events: [], missed: 0, ...end }
      return run(signal, () => {
        const newer = memory.events.filter(event => event.id > afterId && matches(memory, event, query))
        const missed = Math.max(newer.length - limit, 0)
        return { events: newer.slice(missed).map(event => rowOf(event, attributes)), missed, ...end }
      })
    },
    histogram: (filter, bucketMs, signal) => run(signal, () => histogram(filter, bucketMs)),
    facets: (filter, fields, limit, signal) => run(signal, () => facets(filter, fields, limit)),
    counts: (filter, bucketMs, fields, limit, signal) =>
      run(signal, () => ({
        histogram: histogram(filter, bucketMs),
        facets: facets(filter, fields, limit),
      })),
    services: (window, bucketMs, signal) =>
      run(signal, () =>
        groupBy(inWindow(window), ({ service }) => service)
          .map(([{ service }, events]) => ({
            service,
            release: events.toSorted(newestFirst).find(({ release }) => release !== null)?.release ?? null,
            events: events.length,
            failures: events.filter(
              ({ fingerprint }) => fingerprint !== null && stateOf(memory.state, fingerprint) === 'open',
            ).length,
            ...requestCounts(events),
            sparkline: byBucket(events, window, bucketMs).map(bucket => bucket.events.length),
            lastSeenMs: lastMs(events),
          }))
          .sort(
            (a, b) =>
              b.failures - a.failures ||
              b.errors - a.errors ||
              b.events - a.events ||
              compareText(a.service, b.service),
          )
          .slice(0, maxServices)
          .sort((a, b) => compareText(a.service, b.service)),
      ),
    lastSeen: signal =>
      run(signal, () =>
        groupBy(memory.events, ({ service, source }) => [service, source])
          .map(([{ service, source }, events]) => ({ service, source, lastSeenMs: lastMs(events) }))
          .sort((a, b) => b.lastSeenMs - a.lastSeenMs || bySource(a, b))
          .slice(0, maxServices)
          .sort(bySource),
      ),
    requestSeries: (filter, bucketMs, signal) =>
      run(signal, () => {
        const buckets = byBucket(requests(filter), filter.window, bucketMs)
        return seriesOf(
          buckets.map(({ events }) => sketchOf(events)),
          filter.window.fromMs,
          bucketMs,
        )
      }),
    routeMetrics: (filter, limit, signal) =>
      run(signal, () =>
        groupBy(requests(filter), ({ service, method, route }) => [service, method, route])
          .map(([{ service, method, route }, events]) => ({
            service,
            method,
            route,
            ...requestCounts(events),
          }))
          .sort(compareRoutes)
          .slice(0, limit),
      ),
    sessions: (filter, limit, signal) =>
      run(signal, () => rankSessions(ofServices(filter).flatMap(sessionSums), limit)),
    webVitals: (filter, bucketMs, limit, signal) =>
      run(signal, () => {
        const vitals = ofServices(filter).flatMap(event => vitalOf(event) ?? [])
        const measured = groupBy(vitals, ({ service, route, name }) => [service, route, name]).map(
          ([{ service, route, name }, ofSeries]) => {
            const buckets = byBucket(ofSeries, filter.window, bucketMs)
            return {
              service,
              route,
              name,
              values: buckets.map(({ events }) => events.map(({ value }) => value)),
            }
          },
        )
        return summariseVitals(measured, limit)
      }),
    attributeSeries: (filter, series, bucketMs, signal) =>
      run(signal, () => {
        const buckets = byBucket(matching(filter), filter.window, bucketMs)
        return series.map(({ path, aggregate }) =>
          buckets.map(({ events }) => {
            const numbers = events.map(event => toNumber(attributeText(event, path) ?? '')).filter(isNumber)
            if (numbers.length === 0) return null
            if (aggregate === 'highest') return Math.max(...numbers)
            return aggregate === 'sum' ? sum(numbers) : sum(numbers) / numbers.length
          }),
        )
      }),
    releaseStarts: (filter, signal) =>
      run(signal, () => {
        const { window } = filter
        const earlier = memory.events.filter(({ timeMs }) => microsOf(timeMs) < microsOf(window.fromMs))
        const known = new Set(earlier.map(event => JSON.stringify([event.service, event.release])))
        const knownServices = new Set(earlier.map(event => event.service))
        return releasesOf(ofServices(filter))
          .filter(each => {
            if (known.has(JSON.stringify([each.service, each.release]))) return false
            const ofService = inWindow(window).filter(({ service }) => service === each.service)
            return knownServices.has(each.service) || each.firstSeenMs > firstMs(ofService)
          })
          .slice(0, 500)
      }),
    releases: (services, signal) =>
      run(signal, () =>
        releasesOf(memory.events.filter(({ service }) => services.includes(service))).slice(0, 5000),
      ),
    retain: (limits, nowMs) =>
      run(undefined, () => {
        const deleted = surplus(limits, nowMs)
        memory.events = memory.events.filter(event => !deleted.has(event))
        memory.requests = memory.requests.filter(({ acceptedMs }) => acceptedMs >= nowMs - dayMs)
        return deleted.size
      }),
    countExpired: (limits, nowMs, signal) => run(signal, () => surplus(limits, nowMs).size),
  }
}

/** The size of events as JSON, which this store reports as disk space. */
export function sizeBytes(events: readonly LogEvent[]): number {
  return sum(events.map(event => JSON.stringify(event).length))
}

export function byBucket<Event extends Pick<LogEvent, 'timeMs'>>(
  events: readonly Event[],
  window: Window,
  bucketMs: number,
) {
  const buckets = Array.from(
    { length: bucketCount(window, bucketMs) },
    (_, index): { startMs: number; events: Event[] } => ({
      startMs: window.fromMs + index * bucketMs,
      events: [],
    }),
  )
  for (const event of events) {
    const index = Math.floor((microsOf(event.timeMs) - microsOf(window.fromMs)) / microsOf(bucketMs))
    buckets[index]?.events.push(event)
  }
  return buckets
}

function rowOf(event: LogEvent, attributes: readonly string[] = []): EventRow {
  const { spanId: _span, exception, attributes: _attributes, ...row } = event
  const fields = {
    ...row,
    body: cut(row.body),
    exceptionType: exception?.type ?? null,
    exceptionMessage: exception === null ? null : cut(exception.message),
  }
  if (attributes.length === 0) return fields
  const texts = attributes.flatMap(path => {
    const text = attributeText(event, path)
    return text === null ? [] : [[path, cut(text)]]
  })
  return { ...fields, attributeTexts: Object.fromEntries(texts) }
}

function facetValues(events: readonly LogEvent[], field: FacetField) {
  return groupBy(
    events.filter(event => event[field] !== null),
    event => event[field],
  )
    .map(([event, group]) => ({ value: String(event[field]), count: group.length }))
    .sort(compareValues)
}

function isRequest({ status, durationMs }: LogEvent): boolean {
  return status !== null && durationMs !== null
}

function requestCounts(events: readonly LogEvent[]): RequestCounts {
  return countsOf(sketchOf(events))
}

function sketchOf(events: readonly LogEvent[]): RequestSketch {
  const sketch = emptySketch()
  for (const { status, durationMs } of events.filter(isRequest)) {
    addRequest(sketch, durationMs ?? 0, (status ?? 0) >= 500)
  }
  return sketch
}

function vitalOf(event: LogEvent) {
  const { service, route, source, timeMs } = event
  if (source !== 'browser' && source !== 'own' && source !== 'sentry') return null
  const name = vitalNames.find(known => known === attributeText(event, 'vital.name'))
  const value = toNumber(attributeText(event, 'vital.value') ?? '')
  return name === undefined || value === null || value < 0 || value > 1e9
    ? null
    : { service, route, timeMs, name, value }
}

function sessionSums(event: LogEvent): SessionSum[] {
  const { service, release, source } = event
  if (source !== 'sentry') return []
  return ['started', 'crashed'].flatMap(name => {
    const sum = toNumber(attributeText(event, `sessions.${name}`) ?? '')
    return sum === null || sum <= 0 || sum > 1e9 ? [] : { service, release, name, sum }
  })
}

/** Newest first. */
function releasesOf(events: readonly LogEvent[]) {
  return groupBy(events, ({ service, release }) => [service, release])
    .flatMap(([{ service, release }, group]) =>
      release === null ? [] : [{ service, release, firstSeenMs: firstMs(group) }],
    )
    .sort(
      (a, b) =>
        b.firstSeenMs - a.firstSeenMs ||
        compareText(a.service, b.service) ||
        compareText(a.release, b.release),
    )
}

export function firstMs(events: readonly LogEvent[]): number {
  return Math.min(...events.map(({ timeMs }) => timeMs))
}

export function lastMs(events: readonly LogEvent[]): number {
  return Math.max(...events.map(({ timeMs }) => timeMs))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function isNumber(value: number | null): value is number {
  return value !== null
}

function bySource(a: LastSeen, b: LastSeen): number {
  return compareText(a.service, b.service) || compareText(a.source, b.source)
}
