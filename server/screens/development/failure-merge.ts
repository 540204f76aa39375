import { digestCandidates } from '../../../shared/digest-candidates.ts'
import type { FailureRow } from '../../../shared/failure.ts'
import type { FailureDetail, FailureMerge, MergeCandidate } from '../../../shared/screens/development.ts'
import { similarityOf } from '../../grouping/similarity.ts'
import type { Store } from '../../store/store.ts'
import { createTimeSlice } from '../../time-slice.ts'
import { failuresOfDigest } from '../failures-of-digest.ts'
import type { ScreenRequest } from '../screen.ts'

const maxFingerprints = 50
/** Long enough for a digest with the text around it. */
const maxValueLength = 2000
const maxMessageLength = 500
/** Maximum number of signatures per service to compare with those of the failure. */
const maxSignatures = 500
/** Maximum number of the failure's signatures per service, newest first. */
const maxOwnSignatures = 20
const maxServices = 5
const maxSimilar = 5
const minSimilarity = 0.3

/** Returns the newest fingerprints of a failure, and how many it has, if it has several. */
export async function listedFingerprints(
  id: string,
  { signal }: ScreenRequest,
  store: Pick<Store, 'manualGrouping'>,
): Promise<Pick<FailureDetail, 'fingerprints' | 'fingerprintCount'>> {
  const { fingerprints, total } = await store.manualGrouping.fingerprints(id, maxFingerprints, signal)
  return { fingerprints, fingerprintCount: total }
}

/**
 * Looks up the failure that the visitor wants to merge into this one, or similar failures if it is not found.
 * Returns `null` if the visitor did not ask to merge, or is a viewer.
 */
export async function requestedMerge(
  failure: FailureRow,
  request: ScreenRequest,
  store: Store,
): Promise<FailureMerge | null> {
  const submitted = request.params.get('merge')
  if (submitted === null || request.user.role === 'viewer') return null
  const value = submitted.trim().slice(0, maxValueLength)
  const found = value === '' ? null : await findFailure(value, failure.id, request, store)
  const isOther = found !== null && found.id !== failure.id
  return {
    value,
    problem: value === '' || isOther ? null : problemOf(found),
    chosen: isOther ? found : null,
    similar: isOther ? [] : await similarFailures(failure, request, store),
  }
}

function problemOf(found: MergeCandidate | null): string {
  return found === null
    ? 'No stored failure has this ID, fingerprint or digest'
    : 'This belongs to the failure on this page. Enter the ID of another failure'
}

/** Finds the failure with a submitted id, fingerprint or digest, or with a digest in submitted text. */
async function findFailure(
  text: string,
  id: string,
  request: ScreenRequest,
  store: Store,
): Promise<MergeCandidate | null> {
  for (const value of [text, ...digestCandidates(text).map(({ digest }) => digest)]) {
    const found = await failureWith(value, id, request, store)
    if (found !== null) return found
  }
  return null
}

/** Several failures can have the same digest. Prefers one other than `id`, because a failure cannot be merged into itself. */
async function failureWith(
  value: string,
  id: string,
  request: ScreenRequest,
  store: Store,
): Promise<MergeCandidate | null> {
  const { signal } = request
  const found = await candidateOf(await store.failureId(value, signal), request, store)
  if (found !== null) return found
  const ids = await failuresOfDigest(value, store, signal)
  const other = ids.find(each => each !== id) ?? ids[0]
  return other === undefined ? null : candidateOf(other, request, store)
}

async function candidateOf(
  id: string,
  { nowMs, signal }: ScreenRequest,
  store: Store,
): Promise<MergeCandidate | null> {
  const row = await store.failure(id, 1, { fromMs: nowMs - 1, toMs: nowMs }, signal)
  if (row === null) return null
  const [{ occurrences }, notes] = await Promise.all([
    store.failureImpact(id, signal),
    store.failureStates.notes(id),
  ])
  const { type, message, state, lastSeenMs } = row
  const cut = message.slice(0, maxMessageLength)
  return { id, type, message: cut, state, lastSeenMs, count: occurrences, notes: notes.length }
}

/** Returns other failures with similar stacks in the same services, most similar first. */
async function similarFailures(
  { id, services }: FailureRow,
  request: ScreenRequest,
  store: Store,
): Promise<MergeCandidate[]> {
  const similarities = new Map<string, number>()
  const slice = createTimeSlice()
  for (const service of services.slice(0, maxServices)) {
    const signatures = await store.failureGrouping.signatures({ service, subject: null }, maxSignatures)
    const ownSignatures = signatures.filter(({ failureId }) => failureId === id).slice(0, maxOwnSignatures)
    for (const { failureId, frames } of signatures) {
      if (failureId === id) continue
      const similarity = Math.max(0, ...ownSignatures.map(each => similarityOf(each.frames, frames)))
      similarities.set(failureId, Math.max(similarity, similarities.get(failureId) ?? 0))
      if (slice.isUsedUp()) await slice.yieldToOthers()
    }
  }
  const nearest = [...similarities]
    .filter(([, similarity]) => similarity >= minSimilarity)
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxSimilar)
  const candidates = await Promise.all(nearest.map(([other]) => candidateOf(other, request, store)))
  return candidates.flatMap(candidate => candidate ?? [])
}
