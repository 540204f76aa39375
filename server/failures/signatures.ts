import type { LogEvent } from '../../shared/event.ts'
import { signatureOf } from '../grouping/signature.ts'
import { isNear, similarityOf } from '../grouping/similarity.ts'
import type { FailureGrouping, NewSignature, StoredSignature } from '../store/failure-grouping.ts'
import type { Scan, ScannedOccurrence } from '../store/failure-store.ts'
import type { Store } from '../store/store.ts'
import type { Failures } from './failures.ts'
import { isNewerRelease } from './release-order.ts'

/** Maximum number of new fingerprints per scan. In a flood of new failures, few have a near match. */
const maxPerScan = 50
/** Maximum number of known fingerprints whose signatures are stored together. */
const maxBackfilled = 50
/** Maximum number of stored signatures, each at most 3 KB. */
const maxStored = 20_000
/** Maximum number of signatures to compare with a new one. */
const maxCandidates = 200
/** If the similarities of the two best-matching failures differ by less than this, neither is chosen. */
const minLead = 0.05

export type SignatureOptions = {
  store: Pick<Store, 'event' | 'releases'> & {
    failureGrouping: Pick<FailureGrouping, 'withoutSignature' | 'signatures' | 'storeSignatures'>
  }
  failures: Pick<Failures, 'frames'>
}

type Released = Pick<ScannedOccurrence, 'service' | 'release'>

/** Recognises a known failure in a newer release. See docs/decisions/0002-fingerprint.md for the rules. */
export type Signatures = {
  /**
   * Stores the signatures of new fingerprints, and adds each fingerprint with a near match to the failure of that match.
   * @returns whether any fingerprint joined a failure
   */
  joinNearMatches(scan: Pick<Scan, 'occurrences'>): Promise<boolean>
  /**
   * Stores signatures for the newest 50 known fingerprints that have none, for example after an upgrade or after regrouping.
   * @returns whether there may be more
   */
  backfill(signal: AbortSignal): Promise<boolean>
}

export function createSignatures({ store, failures }: SignatureOptions): Signatures {
  const { failureGrouping } = store
  /**
   * Known fingerprints that may remain without a signature: their event may be missing, or the store may delete the
   * signature at once because of the limit.
   */
  const attempted = new Set<string>()

  async function createSignature(event: LogEvent, fingerprint: string): Promise<NewSignature> {
    const { exception, body, service, release, timeMs } = event
    const stack = exception?.stack ?? null
    const frames = stack === null ? [] : await failures.frames(stack, event)
    const signature = signatureOf(exception ?? { type: 'Error', message: '' }, body, frames)
    return { fingerprint, service, release, ...signature, seenMs: Math.round(timeMs), replaces: null }
  }

  /** Returns the known fingerprint that a new one replaces, or `null`. */
  async function replacedBy(
    { fingerprint, service, subject, frames }: NewSignature,
    occurrences: readonly ScannedOccurrence[],
  ): Promise<string | null> {
    if (frames.length === 0 || occurrences.some(each => each.service !== service)) return null
    const isOlder = await olderThan(occurrences)
    const candidates = (await failureGrouping.signatures({ service, subject }, maxCandidates))
      .filter(each => each.fingerprint !== fingerprint && !each.isReplaced)
      .filter(each => isNear(each.frames, frames) && isOlder(each))
      .map(candidate => ({ ...candidate, similarity: similarityOf(candidate.frames, frames) }))
      .sort((a, b) => b.similarity - a.similarity)
    const [best] = candidates
    if (best === undefined) return null
    const rival = candidates.find(({ failureId }) => failureId !== best.failureId)
    return rival === undefined || best.similarity - rival.similarity >= minLead ? best.fingerprint : null
  }

  /** Returns a function that tests whether all releases of a signature are older than those of the occurrences. */
  async function olderThan(occurrences: readonly ScannedOccurrence[]) {
    const isNewer = await releaseOrder(occurrences)
    return ({ releases }: StoredSignature) =>
      releases.every(old => occurrences.every(each => isNewer(each, { ...each, release: old })))
  }

  /**
   * Returns a function that tests whether the first of two occurrences in a service is from a newer release. An occurrence
   * without a release is neither newer nor older than others.
   */
  async function releaseOrder(occurrences: readonly ScannedOccurrence[]) {
    const known = await store.releases(occurrences.map(({ service }) => service))
    // Services from one repository often share releases, but the first event of each service arrives at a different time.
    const firstSeenMs = new Map<string, Map<string, number>>()
    for (const { service, release, firstSeenMs: ms } of known) {
      firstSeenMs.set(service, (firstSeenMs.get(service) ?? new Map<string, number>()).set(release, ms))
    }
    return (a: Released, b: Released) => {
      if (a.release === null || b.release === null) return false
      return isNewerRelease(a.release, b.release, firstSeenMs.get(a.service) ?? new Map())
    }
  }

  return {
    async joinNearMatches({ occurrences }) {
      const unknown = occurrences.filter(
        ({ resolution, followed }) => resolution === null && followed === null,
      )
      if (unknown.length === 0) return false
      // Older releases of a service come first, so that the result does not depend on the order of arrival.
      const isNewer = await releaseOrder(unknown)
      const inOrder = [...unknown]
        .sort((a, b) => (a.failureId < b.failureId ? -1 : 1))
        .sort((a, b) => {
          if (a.service !== b.service) return a.service < b.service ? -1 : 1
          return Number(isNewer(a, b)) - Number(isNewer(b, a))
        })
      let hasJoined = false
      for (const fingerprint of [...new Set(inOrder.map(({ failureId }) => failureId))].slice(
        0,
        maxPerScan,
      )) {
        const fingerprintOccurrences = inOrder.filter(({ failureId }) => failureId === fingerprint)
        const event = await store.event(fingerprintOccurrences[0]?.eventId ?? 0)
        if (event === null) continue
        const signature = await createSignature(event, fingerprint)
        const replaces = await replacedBy(signature, fingerprintOccurrences)
        await failureGrouping.storeSignatures([{ ...signature, replaces }], maxStored)
        hasJoined ||= replaces !== null
      }
      return hasJoined
    },
    async backfill(signal) {
      // If the store deletes the signatures at once because of the limit, this ends with the newest 50, because it would
      // delete those of older fingerprints too.
      const known = await failureGrouping.withoutSignature(maxBackfilled)
      const pending = known.filter(({ fingerprint }) => !attempted.has(fingerprint))
      const created: NewSignature[] = []
      for (const { fingerprint, eventId } of pending) {
        if (signal.aborted) return true
        const event = await store.event(eventId)
        if (event !== null) created.push(await createSignature(event, fingerprint))
      }
      if (created.length > 0) await failureGrouping.storeSignatures(created, maxStored)
      for (const { fingerprint } of pending) attempted.add(fingerprint)
      return pending.length > 0 && known.length === maxBackfilled
    },
  }
}
