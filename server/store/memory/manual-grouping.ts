import { cut } from '../common/cut.ts'
import { groupBy } from '../common/group-by.ts'
import type { ManualGrouping } from '../failure-grouping.ts'
import { manualGroupingOf } from '../state/manual-grouping.ts'
import type { AccessState } from '../state/state.ts'
import { hasOnlyDigest, type Memory, newestFirst } from './memory.ts'

const maxReleases = 5

export function memoryManualGrouping(memory: Memory, access: AccessState): ManualGrouping {
  return manualGroupingOf(access, access, {
    async describe(followed, limit) {
      const events = memory.events
        .flatMap(event => {
          const fingerprint = followed.get(event.fingerprint ?? '')
          return fingerprint === undefined ? [] : [{ ...event, fingerprint }]
        })
        .sort(newestFirst)
      const described = groupBy(events, ({ fingerprint }) => fingerprint).map(([newest, group]) => {
        const { fingerprint, exception, body } = group.find(event => !hasOnlyDigest(event)) ?? newest
        const releases = [...new Set(group.flatMap(({ release }) => release ?? []))]
        return {
          fingerprint,
          type: exception?.type ?? 'Error',
          message: cut(exception?.message ?? body),
          count: group.length,
          releases: releases.slice(0, maxReleases),
          releaseCount: releases.length,
          lastSeenMs: newest.timeMs,
        }
      })
      return { described: described.slice(0, limit), total: described.length }
    },
    stored: async fingerprints => storedFingerprints(memory, fingerprints),
  })
}

export function storedFingerprints({ events }: Memory, fingerprints: readonly string[]): string[] {
  return events.flatMap(({ fingerprint }) =>
    fingerprint !== null && fingerprints.includes(fingerprint) ? fingerprint : [],
  )
}
