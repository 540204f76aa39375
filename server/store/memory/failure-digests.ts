import { bareDigest } from '../common/digest.ts'
import type { FailureDigests, ScannedDigest } from '../failure-digests.ts'
import { failureDigestsOf } from '../state/failure-digests.ts'
import type { AccessState } from '../state/state.ts'
import { storedFingerprints } from './manual-grouping.ts'
import { causeFirst, type Memory } from './memory.ts'

export function memoryFailureDigests(memory: Memory, access: AccessState): FailureDigests {
  const digestsOf = (events: Memory['events']): ScannedDigest[] =>
    events.flatMap(({ digest, fingerprint, source, exception }) => {
      if (digest === null || fingerprint === null) return []
      const isFromBrowser = source === 'browser'
      const message = isFromBrowser && exception?.stack === null ? exception.message : null
      return [{ digest: bareDigest(digest), fingerprint, isFromBrowser, message }]
    })
  return failureDigestsOf(access, {
    async scanned([afterId = memory.lastId], [lastId = memory.lastId]) {
      const all = digestsOf(memory.events.filter(({ id }) => id > afterId && id <= lastId))
      return [...new Map(all.map(each => [JSON.stringify(each), each])).values()]
    },
    serverFingerprints: async digests =>
      digestsOf([...memory.events].sort(causeFirst).reverse()).filter(
        ({ digest, isFromBrowser }) => !isFromBrowser && digests.includes(digest),
      ),
    stored: async fingerprints => storedFingerprints(memory, fingerprints),
  })
}
