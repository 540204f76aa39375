import { compareText } from '../common/compare-text.ts'
import type { FailureGrouping, NewSignature, SignatureFilter } from '../failure-grouping.ts'
import { failureIdOf, stateOf } from './failure-ids.ts'
import type { AccessState, State } from './state.ts'

/** What `FailureGrouping` needs to know about the stored events. */
export type GroupingEvents = {
  /** The newest event of each of these fingerprints, newest first. */
  newest(fingerprints: readonly string[], limit: number): Promise<{ fingerprint: string; eventId: number }[]>
  /** The releases of a service that contain these fingerprints. */
  releases(
    service: string,
    fingerprints: readonly string[],
  ): Promise<{ fingerprint: string; release: string | null }[]>
}

export function failureGroupingOf(run: AccessState, events: GroupingEvents): FailureGrouping {
  return {
    async withoutSignature(limit) {
      const fingerprints = await run(({ failureIds, follows, signatures }) =>
        [...failureIds.keys()].filter(each => !signatures.has(each) && !follows.has(each)),
      )
      return fingerprints.length === 0 ? [] : events.newest(fingerprints, limit)
    },
    async signatures(filter, limit) {
      const found = await run(state => findSignatures(state, filter, limit))
      if (found.length === 0) return []
      const releases = await events.releases(
        filter.service,
        found.map(({ fingerprint }) => fingerprint),
      )
      const releasesOf = (fingerprint: string) =>
        releases.flatMap(each => (each.fingerprint === fingerprint ? [each.release] : []))
      return run(state => {
        const replaced = new Set([...state.signatures.values()].map(({ replaces }) => replaces))
        return found.map(({ fingerprint, subject, frames, release }) => ({
          fingerprint,
          failureId: failureIdOf(state, fingerprint),
          subject,
          frames: [...frames],
          releases: distinct([release, ...releasesOf(fingerprint)]),
          isReplaced: replaced.has(fingerprint),
        }))
      })
    },
    storeSignatures: (signatures, keep) =>
      run(state => {
        for (const each of signatures) storeSignature(state, each)
        prune(state, keep)
      }),
  }
}

/** The newest signatures that match the filter. */
function findSignatures(
  { signatures }: State,
  { service, subject }: SignatureFilter,
  limit: number,
): NewSignature[] {
  return [...signatures.values()]
    .filter(each => each.service === service && (subject === null || each.subject === subject))
    .sort(newestFirst)
    .slice(0, limit)
}

function distinct(releases: readonly (string | null)[]): (string | null)[] {
  return [...new Set(releases)].sort((a, b) => compareText(a ?? '', b ?? ''))
}

function storeSignature(state: State, signature: NewSignature): void {
  const { failureIds, follows, mergedFrom, signatures } = state
  const { fingerprint, replaces } = signature
  const existing = signatures.get(fingerprint) ?? { ...signature, frames: [...signature.frames] }
  signatures.set(fingerprint, { ...existing, replaces })
  if (replaces === null || failureIds.has(fingerprint)) return
  const failureId = failureIdOf(state, replaces)
  failureIds.set(fingerprint, failureId)
  for (const [follower, followed] of follows)
    if (followed === fingerprint) failureIds.set(follower, failureId)
  const idBeforeMerge = mergedFrom.get(replaces)
  if (idBeforeMerge !== undefined) mergedFrom.set(fingerprint, idBeforeMerge)
}

/** Deletes the signatures above a limit, usually only one: see `FailureGrouping`. */
function prune(state: State, keep: number): void {
  const { signatures } = state
  while (signatures.size > keep) {
    const first = [...signatures.values()].reduce((a, b) => (isPrunedBefore(state, b, a) ? b : a))
    signatures.delete(first.fingerprint)
  }
}

function isPrunedBefore(state: State, a: NewSignature, b: NewSignature): boolean {
  const isEmpty = ({ frames }: NewSignature) => Number(frames.length === 0)
  const isOpen = ({ fingerprint }: NewSignature) => Number(stateOf(state, fingerprint) === 'open')
  return (isEmpty(b) - isEmpty(a) || isOpen(b) - isOpen(a) || newestFirst(b, a)) < 0
}

function newestFirst(a: NewSignature, b: NewSignature): number {
  return b.seenMs - a.seenMs || compareText(a.fingerprint, b.fingerprint)
}
