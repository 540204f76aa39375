import type { LogEvent } from '../../../shared/event.ts'
import { vitalNames } from '../../../shared/vitals.ts'
import { attributeText } from '../common/attribute-text.ts'
import { groupBy } from '../common/group-by.ts'
import { rankSessions, type SessionSum } from '../common/rank-sessions.ts'
import { summariseVitals } from '../common/summarise-vitals.ts'
import { toNumber } from '../common/to-number.ts'
import type { EventStore } from '../event-store.ts'
import { byBucket } from './buckets.ts'
import type { Memory, Run } from './memory.ts'
import { eventsOfServices } from './select-events.ts'

export function memoryVisitors(memory: Memory, run: Run): Pick<EventStore, 'sessions' | 'webVitals'> {
  return {
    sessions: (filter, limit, signal) =>
      run(signal, () => rankSessions(eventsOfServices(memory, filter).flatMap(sessionSums), limit)),
    webVitals: (filter, bucketMs, limit, signal) =>
      run(signal, () => {
        const vitals = eventsOfServices(memory, filter).flatMap(event => vitalOf(event) ?? [])
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
  }
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
