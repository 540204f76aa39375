import { splitPart } from '../common/split-part.ts'
import type { ManualGrouping, StoredFingerprint } from '../failure-grouping.ts'
import { failureIdOf, fingerprintsOf } from './failure-ids.ts'
import type { AccessState, State } from './state.ts'

/** What `ManualGrouping` needs to know about the stored events. */
export type FingerprintEvents = {
  /** Describes the fingerprints that have stored events, newest first. */
  describe(
    fingerprints: readonly string[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<Omit<StoredFingerprint, 'topFrame'>[]>
  /** Returns the fingerprints that have stored events. */
  stored(fingerprints: readonly string[]): Promise<string[]>
}

/** @param read runs work that may miss changes that other replicas have made since the last `Replicas.refresh` */
export function manualGroupingOf(
  run: AccessState,
  read: AccessState,
  events: FingerprintEvents,
): ManualGrouping {
  return {
    async fingerprints(id, limit, signal) {
      const all = await read(state => fingerprintsOf(state, failureIdOf(state, id)), signal)
      if (all.length < 2) return []
      const described = await events.describe(all, limit, signal)
      return read(
        ({ signatures }) =>
          described.map(each => ({
            ...each,
            topFrame: signatures.get(each.fingerprint)?.frames[0] ?? null,
          })),
        signal,
      )
    },
    merge: (id, into) => run(state => merge(state, id, into)),
    async split(fingerprint) {
      const all = await run(state => fingerprintsOf(state, failureIdOf(state, fingerprint)))
      if (all.length < 2) return null
      const stored = new Set(await events.stored(all))
      return run(state => split(state, fingerprint, stored))
    },
    isSplit: (a, b) =>
      run(state => {
        const isBetween = isSplitBetween(state, failureIdOf(state, a), failureIdOf(state, b))
        return [...state.splits.values()].some(isBetween)
      }),
    isMerged: fingerprint =>
      run(state => {
        const id = failureIdOf(state, fingerprint)
        return [...state.mergedFrom.keys()].some(each => failureIdOf(state, each) === id)
      }),
  }
}

/** See `ManualGrouping`. `stored` contains the failure's fingerprints that have stored events. */
function split(state: State, fingerprint: string, stored: ReadonlySet<string>): string | null {
  const failureId = failureIdOf(state, fingerprint)
  if (failureId === fingerprint || !stored.has(fingerprint) || stored.size < 2) return null
  const others = fingerprintsOf(state, failureId).filter(other => other !== failureId)
  const mergedFrom = new Map(others.map(other => [other, state.mergedFrom.get(other) ?? null]))
  const part = splitPart(fingerprint, mergedFrom, stored)
  state.failureIds.set(failureId, failureIdOf(state, failureId))
  for (const each of part.fingerprints) {
    state.failureIds.set(each, part.id)
    state.mergedFrom.delete(each)
    const signature = state.signatures.get(each)
    if (signature !== undefined) state.signatures.set(each, { ...signature, replaces: null })
  }
  state.splits.set(`${part.id} ${failureId}`, [part.id, failureId])
  return part.id
}

function merge(state: State, id: string, into: string): void {
  const { failureIds, mergedFrom, splits } = state
  const [from, to] = [failureIdOf(state, id), failureIdOf(state, into)]
  if (from === to) return
  failureIds.set(from, from)
  failureIds.set(to, to)
  const isBetween = isSplitBetween(state, from, to)
  for (const [key, pair] of splits) if (isBetween(pair)) splits.delete(key)
  for (const [fingerprint, failureId] of failureIds) {
    if (failureId !== from) continue
    failureIds.set(fingerprint, to)
    mergedFrom.set(fingerprint, mergedFrom.get(fingerprint) ?? from)
  }
}

function isSplitBetween(state: State, id: string, otherId: string) {
  return (pair: readonly [string, string]) => {
    const [one, other] = pair.map(each => failureIdOf(state, each))
    return (one === id && other === otherId) || (one === otherId && other === id)
  }
}
