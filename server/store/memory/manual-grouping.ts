import { cut } from '../common/cut.ts'
import type { ManualGrouping } from '../failure-grouping.ts'
import { manualGroupingOf } from '../state/manual-grouping.ts'
import type { AccessState } from '../state/state.ts'
import { type Memory, newestFirst } from './memory.ts'

const maxReleases = 5

export function memoryManualGrouping(memory: Memory, access: AccessState): ManualGrouping {
  const describe = (fingerprint: string) => {
    const events = memory.events.filter(event => event.fingerprint === fingerprint).sort(newestFirst)
    const [newest] = events
    if (newest === undefined) return []
    const releases = [...new Set(events.flatMap(({ release }) => release ?? []))]
    return {
      newest,
      row: {
        fingerprint,
        type: newest.exception?.type ?? 'Error',
        message: cut(newest.exception?.message ?? newest.body),
        count: events.length,
        releases: releases.slice(0, maxReleases),
        releaseCount: releases.length,
        lastSeenMs: newest.timeMs,
      },
    }
  }
  return manualGroupingOf(access, access, {
    describe: async (fingerprints, limit) =>
      fingerprints
        .flatMap(describe)
        .sort((a, b) => newestFirst(a.newest, b.newest))
        .slice(0, limit)
        .map(({ row }) => row),
    stored: async fingerprints =>
      memory.events.flatMap(({ fingerprint }) =>
        fingerprint !== null && fingerprints.includes(fingerprint) ? fingerprint : [],
      ),
  })
}
