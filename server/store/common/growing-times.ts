import type { LogEvent } from '../../../shared/event.ts'
import { maxTimes, type ServiceTimes } from './service-times.ts'
import { microsOf } from './time.ts'

/** The first and last times of the events of a service that have the same source or release (`name`). */
export type TimesRow = { service: string; name: string; firstUs: number; lastUs: number }

/** Service times that events can be added to after they have been stored. */
export type GrowingTimes = ServiceTimes & {
  /**
   * Adds a stored event. Returns `false` if the times are no longer valid, because the event needed a new entry and there were
   * already `maxTimes` entries. Older ones may then have been omitted, so the first event may be unknown.
   */
  add(event: Pick<LogEvent, 'service' | 'source' | 'release' | 'timeMs'>): boolean
}

export function growingTimes(
  sourceRows: readonly TimesRow[],
  releaseRows: readonly TimesRow[],
): GrowingTimes {
  const sources = nested(sourceRows)
  const releases = nested(releaseRows)
  let freeEntries = maxTimes - Math.max(sourceRows.length, releaseRows.length)

  return {
    sources,
    releases,
    add({ service, source, release, timeMs }) {
      const times = { firstUs: microsOf(timeMs), lastUs: microsOf(timeMs) }
      const isNewSource = extend(sources, service, source, times)
      const isNewRelease = release !== null && extend(releases, service, release, times)
      if (isNewSource || isNewRelease) freeEntries -= 1
      return freeEntries >= 0
    },
  }
}

type Times = { firstUs: number; lastUs: number }
/** Keyed by service, then by source or release. */
type NestedTimes = Map<string, Map<string, Times>>

function nested(rows: readonly TimesRow[]): NestedTimes {
  const all: NestedTimes = new Map()
  for (const { service, name, firstUs, lastUs } of rows) extend(all, service, name, { firstUs, lastUs })
  return all
}

/** Extends an entry by these times, or adds it. Returns whether it was added. */
function extend(all: NestedTimes, service: string, name: string, times: Times): boolean {
  const ofService = all.get(service) ?? new Map<string, Times>()
  all.set(service, ofService)
  const entry = ofService.get(name)
  ofService.set(name, {
    firstUs: Math.min(times.firstUs, entry?.firstUs ?? times.firstUs),
    lastUs: Math.max(times.lastUs, entry?.lastUs ?? times.lastUs),
  })
  return entry === undefined
}
