import { bareDigest } from '../common/digest.ts'
import type { FailureDigests, ScannedDigest } from '../failure-digests.ts'
import { failureIdOf, type Memory, newestFirst, type Run } from './memory.ts'

export function memoryFailureDigests(memory: Memory, run: Run): FailureDigests {
  const digestsOf = (events: Memory['events']): ScannedDigest[] =>
    events.flatMap(({ digest, fingerprint, source }) =>
      digest === null || fingerprint === null
        ? []
        : [{ digest: bareDigest(digest), fingerprint, isFromBrowser: source === 'browser' }],
    )
  return {
    scanned: lastId =>
      run(undefined, () => {
        const afterId = memory.scannedId ?? lastId
        const all = digestsOf(memory.events.filter(({ id }) => id > afterId && id <= lastId))
        return [...new Map(all.map(each => [JSON.stringify(each), each])).values()]
      }),
    serverFailures: digests =>
      run(undefined, () => {
        const oldestFirst = digestsOf([...memory.events].sort(newestFirst).reverse())
        return new Map(
          oldestFirst
            .filter(({ digest, isFromBrowser }) => !isFromBrowser && digests.includes(digest))
            .map(({ digest, fingerprint }) => [digest, failureIdOf(memory, fingerprint)]),
        )
      }),
    failureIds: fingerprints =>
      run(undefined, () => {
        const known = [...memory.failureIds]
        return new Map(known.filter(([fingerprint]) => fingerprints.includes(fingerprint)))
      }),
    add: (fingerprint, id) =>
      run(undefined, () => {
        if (!memory.failureIds.has(fingerprint)) memory.failureIds.set(fingerprint, failureIdOf(memory, id))
      }),
  }
}
