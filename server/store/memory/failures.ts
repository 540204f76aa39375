import type { LogEvent } from '../../../shared/event.ts'
import { redacted } from '../../../shared/event.ts'
import type { FailureRow } from '../../../shared/failure.ts'
import type { Window } from '../../../shared/range.ts'
import { attributeText } from '../common/attribute-text.ts'
import { compareText } from '../common/compare-text.ts'
import { bareDigest } from '../common/digest.ts'
import { countByState, listDescribed } from '../common/failure-list.ts'
import { groupBy } from '../common/group-by.ts'
import { maxFailureReleases, maxFailureServices, maxFailuresOfDigest } from '../common/list-limits.ts'
import { routeOf } from '../common/route-of.ts'
import type { FailureList, FailureQuery, FailureStore } from '../failure-store.ts'
import { failureIdOf, stateOf } from '../state/failure-ids.ts'
import { stateFields } from '../state/failure-row.ts'
import type { AccessState } from '../state/state.ts'
import { byBucket, firstMs, lastMs } from './buckets.ts'
import { memoryFailureDigests } from './failure-digests.ts'
import { memoryFailureGrouping } from './failure-grouping.ts'
import { memoryFailureStates } from './failure-states.ts'
import { memoryManualGrouping } from './manual-grouping.ts'
import { causeFirst, hasOnlyDigest, isInWindow, type Memory, newestFirst, type Run } from './memory.ts'
import { memoryStacks } from './stacks.ts'

export function memoryFailures(memory: Memory, run: Run, access: AccessState): FailureStore {
  const { state } = memory
  const idOf = ({ fingerprint }: LogEvent) => failureIdOf(state, fingerprint ?? '')
  const eventsOf = (id: string) =>
    memory.events.filter(event => event.fingerprint !== null && idOf(event) === id)
  const inWindow = (window: Window) =>
    memory.events.filter(event => event.fingerprint !== null && isInWindow(event, window))

  const describe = (
    id: string,
    occurrences: readonly LogEvent[],
    window: Window,
    bucketMs: number,
  ): FailureRow | null => {
    const events = eventsOf(id).sort(newestFirst)
    const newest = events.find(event => !hasOnlyDigest(event)) ?? events[0]
    if (newest === undefined) return null
    const services = distinct(events.map(({ service }) => service))
    const digests = distinct(events.map(({ digest }) => digest))
    return {
      id,
      ...stateFields(state.failures.get(id)),
      type: newest.exception?.type ?? 'Error',
      message: newest.exception?.message ?? newest.body,
      route: routeOf(newest.method, newest.route),
      release: newest.release,
      digests: digests.slice(0, 5),
      digestCount: digests.length,
      services: services.sort(compareText).slice(0, maxFailureServices),
      serviceCount: services.length,
      count: occurrences.length,
      firstSeenMs: firstMs(events),
      lastSeenMs: lastMs(events),
      sparkline: byBucket(occurrences, window, bucketMs).map(bucket => bucket.events.length),
    }
  }

  const list = async (query: FailureQuery): Promise<FailureList> => {
    const { window, bucketMs, service } = query
    const all = inWindow(window)
    const rows = groupBy(
      all.filter(event => service === null || event.service === service),
      idOf,
    ).flatMap(([first, group]) => {
      const row = describe(idOf(first), group, window, bucketMs)
      return row === null ? [] : [{ row, newestMs: lastMs(group) }]
    })
    return {
      ...(await listDescribed(rows, query)),
      services: distinct(all.map(event => event.service)).sort(compareText),
    }
  }

  return {
    failureId: (fingerprint, signal) => run(signal, () => failureIdOf(state, fingerprint)),
    failures: async (query, signal) => run(signal, () => list(query)),
    failureCounts: (window, signal) =>
      run(signal, () =>
        countByState(
          groupBy(inWindow(window), idOf).map(([first, group]) => ({
            state: stateOf(state, idOf(first)),
            count: group.length,
          })),
        ),
      ),
    failure: (idOrFingerprint, bucketMs, window, signal) =>
      run(signal, () => {
        const id = failureIdOf(state, idOrFingerprint)
        const occurrences = inWindow(window).filter(event => idOf(event) === id)
        return describe(id, occurrences, window, bucketMs)
      }),
    failureServices: (id, signal) =>
      run(signal, () =>
        distinct(eventsOf(failureIdOf(state, id)).map(({ service }) => service)).sort(compareText),
      ),
    failureReleases: (id, signal) =>
      run(signal, () => {
        const all = groupBy(eventsOf(id).sort(newestFirst), ({ release }) => release)
          .map(([{ release }, group]) => ({
            lastId: Math.max(...group.map(({ id }) => id)),
            row: { release, count: group.length, firstSeenMs: firstMs(group), lastSeenMs: lastMs(group) },
          }))
          .sort((a, b) => b.row.lastSeenMs - a.row.lastSeenMs || b.lastId - a.lastId)
          .map(({ row }) => row)
        const releases = all.slice(0, maxFailureReleases)
        return { releases, omitted: all.length - releases.length }
      }),
    failureImpact: (id, signal) =>
      run(signal, () => {
        const events = eventsOf(id)
        const requests = events.map(({ traceId, requestId }) => traceId ?? requestId)
        const users = events.map(userOf)
        return {
          occurrences: events.length,
          requests: distinct(requests).length,
          withoutRequest: requests.filter(request => request === null).length,
          users: distinct(users).length,
          withoutUser: users.filter(user => user === null).length,
        }
      }),
    failuresOfDigest: (digest, signal) =>
      run(signal, () => {
        const ids = memory.events
          .filter(event => event.digest !== null && event.fingerprint !== null)
          .filter(event => bareDigest(event.digest ?? '') === bareDigest(digest))
          .sort(causeFirst)
          .map(idOf)
        return [...new Set(ids)].slice(0, maxFailuresOfDigest)
      }),
    ...memoryStacks(memory, run),
    failureStates: memoryFailureStates(memory, access),
    failureGrouping: memoryFailureGrouping(memory, access),
    manualGrouping: memoryManualGrouping(memory, access),
    failureDigests: memoryFailureDigests(memory, access),
  }
}

/** Returns the distinct values in order of first occurrence, without `null`. */
function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter(value => value !== null))]
}

function userOf(event: LogEvent): string | null {
  for (const path of ['user.id', 'enduser.id', 'userId']) {
    const user = attributeText(event, path)
    if (user !== null) return user === redacted ? null : user
  }
  return null
}
