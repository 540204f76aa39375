import { bareDigest } from '../common/digest.ts'
import type { FailureDigests, ScannedDigest } from '../failure-digests.ts'
import { failureDigestsOf } from '../state/failure-digests.ts'
import type { AccessState } from '../state/state.ts'
import { causeFirst, type Memory } from './memory.ts'

export function memoryFailureDigests(memory: Memory, access: AccessState): FailureDigests {
  const digestsOf = (events: Memory['events']): ScannedDigest[] =>
    events.flatMap(({ digest, fingerprint, source }) =>
      digest === null || fingerprint === null
        ? []
        : [{ digest: bareDigest(digest), fingerprint, isFromBrowser: source === 'browser' }],
    )
  return failureDigestsOf(access, {
    async scanned([afterId = memory.lastId], [lastId = memory.lastId]) {
      const all = digestsOf(memory.events.filter(({ id }) => id > afterId && id <= lastId))
      return [...new Map(all.map(each => [JSON.stringify(each), each])).values()]
    },
    serverFingerprints: async digests =>
      digestsOf([...memory.events].sort(causeFirst).reverse()).filter(
        ({ digest, isFromBrowser }) => !isFromBrowser && digests.includes(digest),
      ),
  })
}
