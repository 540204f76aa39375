import { cut } from '../common/cut.ts'
import type { ManualGrouping } from '../failure-grouping.ts'
import { failureIdOf } from '../state/failure-ids.ts'
import { fingerprintsOfMerged, manualGroupingOf, split } from '../state/manual-grouping.ts'
import type { AccessState, State } from '../state/state.ts'
import { type Memory, newestFirst } from './memory.ts'

const maxReleases = 5

export function memoryManualGrouping(memory: Memory, access: AccessState): ManualGrouping {
  const describe = ({ signatures }: State, fingerprint: string) => {
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
        topFrame: signatures.get(fingerprint)?.frames[0] ?? null,
        count: events.length,
        releases: releases.slice(0, maxReleases),
        releaseCount: releases.length,
        lastSeenMs: newest.timeMs,
      },
    }
  }
  return {
    ...manualGroupingOf(access),
    fingerprints: (id, limit, signal) =>
      access(
        state =>
          fingerprintsOfMerged(state, id)
            .flatMap(each => describe(state, each))
            .sort((a, b) => newestFirst(a.newest, b.newest))
            .slice(0, limit)
            .map(({ row }) => row),
        signal,
      ),
    split: fingerprint =>
      access(state => {
        const id = failureIdOf(state, fingerprint)
        const all = memory.events.flatMap(event => event.fingerprint ?? [])
        return split(state, fingerprint, new Set(all.filter(each => failureIdOf(state, each) === id)))
      }),
  }
}
