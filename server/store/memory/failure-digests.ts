import { bareDigest } from '../common/digest.ts'
import { readPosition } from '../common/position.ts'
import type { FailureDigests, ScannedDigest } from '../failure-digests.ts'
import { failureDigestsOf } from '../state/failure-digests.ts'
import { failureIdOf } from '../state/failure-ids.ts'
import type { AccessState } from '../state/state.ts'
import { type Memory, newestFirst } from './memory.ts'

export function memoryFailureDigests(memory: Memory, access: AccessState): FailureDigests {
  const digestsOf = (events: Memory['events']): ScannedDigest[] =>
    events.flatMap(({ digest, fingerprint, source }) =>
      digest === null || fingerprint === null
        ? []
        : [{ digest: bareDigest(digest), fingerprint, isFromBrowser: source === 'browser' }],
    )
  return {
    ...failureDigestsOf(access),
    scanned: position =>
      access(({ progress }) => {
        const [lastId = 0] = readPosition(position) ?? []
        const [afterId = lastId] = readPosition(progress.get('failures') ?? '') ?? []
        const all = digestsOf(memory.events.filter(({ id }) => id > afterId && id <= lastId))
        return [...new Map(all.map(each => [JSON.stringify(each), each])).values()]
      }),
    serverFailures: digests =>
      access(state => {
        const oldestFirst = digestsOf([...memory.events].sort(newestFirst).reverse())
        return new Map(
          oldestFirst
            .filter(({ digest, isFromBrowser }) => !isFromBrowser && digests.includes(digest))
            .map(({ digest, fingerprint }) => [digest, failureIdOf(state, fingerprint)]),
        )
      }),
  }
}
