import { compareText } from '../common/compare-text.ts'
import type { FailureGrouping, NewSignature, SignatureFilter, StoredSignature } from '../failure-grouping.ts'
import { failureIdOf, stateOf } from './failure-ids.ts'
import type { AccessState, State } from './state.ts'

export function signOf(run: AccessState): Pick<FailureGrouping, 'sign'> {
  return {
    sign: (signatures, keep) =>
      run(state => {
        for (const each of signatures) sign(state, each)
        prune(state, keep)
      }),
  }
}

/** The newest signatures that match the filter. */
export function findSignatures(
  { signatures }: State,
  { service, subject }: SignatureFilter,
  limit: number,
): NewSignature[] {
  return [...signatures.values()]
    .filter(each => each.service === service && (subject === null || each.subject === subject))
    .sort(newestFirst)
    .slice(0, limit)
}

/** @param releases the releases of the stored events with the signature's fingerprint and service */
export function describeSignature(
  state: State,
  { fingerprint, subject, frames, release }: NewSignature,
  releases: readonly (string | null)[],
): StoredSignature {
  return {
    fingerprint,
    failureId: failureIdOf(state, fingerprint),
    subject,
    frames: [...frames],
    releases: [...new Set([release, ...releases])].sort((a, b) => compareText(a ?? '', b ?? '')),
    isReplaced: [...state.signatures.values()].some(({ replaces }) => replaces === fingerprint),
  }
}

function sign(state: State, signature: NewSignature): void {
  const { failureIds, mergedFrom, signatures } = state
  const { fingerprint, replaces } = signature
  const existing = signatures.get(fingerprint) ?? { ...signature, frames: [...signature.frames] }
  signatures.set(fingerprint, { ...existing, replaces })
  if (replaces === null || failureIds.has(fingerprint)) return
  failureIds.set(fingerprint, failureIdOf(state, replaces))
  const idBeforeMerge = mergedFrom.get(replaces)
  if (idBeforeMerge !== undefined) mergedFrom.set(fingerprint, idBeforeMerge)
}

/** Deletes the signatures above a limit: those of open failures before others, oldest first. */
function prune(state: State, keep: number): void {
  if (state.signatures.size <= keep) return
  const isOpen = ({ fingerprint }: NewSignature) => Number(stateOf(state, fingerprint) === 'open')
  const sorted = [...state.signatures.values()].sort((a, b) => isOpen(a) - isOpen(b) || newestFirst(a, b))
  for (const { fingerprint } of sorted.slice(keep)) state.signatures.delete(fingerprint)
}

function newestFirst(a: NewSignature, b: NewSignature): number {
  return b.seenMs - a.seenMs || compareText(a.fingerprint, b.fingerprint)
}
