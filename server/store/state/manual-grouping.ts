import { readPosition } from '../common/position.ts'
import { splitPart } from '../common/split-part.ts'
import type { ManualGrouping, StoredFingerprint } from '../failure-grouping.ts'
import { failureIdOf, fingerprintsOf } from './failure-ids.ts'
import type { AccessState, State } from './state.ts'

/** What `ManualGrouping` needs to know about the stored events. */
export type FingerprintEvents = {
  /**
   * Describes the fingerprints that have stored events, newest first, and counts them.
   * @param followed the fingerprint that each fingerprint follows, or itself
   */
  describe(
    followed: ReadonlyMap<string, string>,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ described: Omit<StoredFingerprint, 'topFrame'>[]; total: number }>
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
      const followed = await read(state => followedIn(state, failureIdOf(state, id)), signal)
      const none = { fingerprints: [], total: 0 }
      if (new Set(followed.values()).size < 2) return none
      const { described, total } = await events.describe(followed, limit, signal)
      if (total < 2) return none
      return read(({ signatures }) => {
        const topFrame = (fingerprint: string) => signatures.get(fingerprint)?.frames[0] ?? null
        return {
          fingerprints: described.map(each => ({ ...each, topFrame: topFrame(each.fingerprint) })),
          total,
        }
      }, signal)
    },
    merge: (id, into) => run(state => merge(state, id, into)),
    async split(fingerprint) {
      const followed = await run(state => followedIn(state, failureIdOf(state, fingerprint)))
      if (followed.size < 2) return null
      const found = await events.stored([...followed.keys()])
      const stored = new Set(found.map(each => followed.get(each) ?? each))
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

/** Returns the fingerprint that each fingerprint of a failure follows, or itself. */
function followedIn(state: State, failureId: string): Map<string, string> {
  return new Map(fingerprintsOf(state, failureId).map(each => [each, state.follows.get(each) ?? each]))
}

/** See `ManualGrouping`. `stored` contains the failure's fingerprints that have stored events, or followers that have. */
function split(state: State, fingerprint: string, stored: ReadonlySet<string>): string | null {
  const failureId = failureIdOf(state, fingerprint)
  if (failureId === fingerprint || !stored.has(fingerprint) || stored.size < 2) return null
  const all = fingerprintsOf(state, failureId)
  const others = all.filter(other => other !== failureId && !state.follows.has(other))
  const mergedFrom = new Map(others.map(other => [other, state.mergedFrom.get(other) ?? null]))
  const part = splitPart(fingerprint, mergedFrom, stored)
  state.failureIds.set(failureId, failureIdOf(state, failureId))
  for (const each of part.fingerprints) {
    state.failureIds.set(each, part.id)
    state.mergedFrom.delete(each)
    const signature = state.signatures.get(each)
    if (signature !== undefined) state.signatures.set(each, { ...signature, replaces: null })
  }
  for (const each of all) {
    if (part.fingerprints.includes(state.follows.get(each) ?? '')) state.failureIds.set(each, part.id)
  }
  state.splits.set(`${part.id} ${failureId}`, [part.id, failureId])
  return part.id
}

function merge(state: State, id: string, into: string): void {
  const { failureIds, follows, mergedFrom, splits } = state
  const [from, to] = [failureIdOf(state, id), failureIdOf(state, into)]
  if (from === to) return
  failureIds.set(from, from)
  failureIds.set(to, to)
  countReturnsFromNow(state, to)
  const isBetween = isSplitBetween(state, from, to)
  for (const [key, pair] of splits) if (isBetween(pair)) splits.delete(key)
  for (const [fingerprint, failureId] of failureIds) {
    if (failureId !== from) continue
    failureIds.set(fingerprint, to)
    if (!follows.has(fingerprint)) mergedFrom.set(fingerprint, mergedFrom.get(fingerprint) ?? from)
  }
}

/** Lets only occurrences that have not been scanned reopen a resolved failure: see `ManualGrouping.merge`. */
function countReturnsFromNow({ failures, progress }: State, id: string): void {
  const record = failures.get(id)
  if (record?.state !== 'resolved') return
  const scannedIds = readPosition(progress.get('failures') ?? '') ?? []
  const resolvedAfterId = Math.max(record.resolvedAfterId, ...scannedIds)
  failures.set(id, { ...record, resolvedAfterId })
}

function isSplitBetween(state: State, id: string, otherId: string) {
  return (pair: readonly [string, string]) => {
    const [one, other] = pair.map(each => failureIdOf(state, each))
    return (one === id && other === otherId) || (one === otherId && other === id)
  }
}
