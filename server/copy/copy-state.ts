import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { lowestId } from '../store/common/position.ts'
import type { collections } from '../store/state/collections.ts'
import { emptyState } from '../store/state/state.ts'
import type { Store } from '../store/store.ts'
import { type SharedState, sharedCollections } from '../store/transfer-store.ts'

type Name = keyof SharedState
type Value<Each extends Name> = Static<(typeof collections)[Each]>

export type StateCopy = {
  /** The number of entries that were added, changed or deleted in the target. */
  changed: number
  /**
   * The number of entries that are only in the target, by collection. Empty if the target has not been used since the last
   * copy.
   */
  onlyInTarget: Partial<Record<Name, number>>
}

/**
 * Makes the state of the target equal to that of the source. If somebody has used the target since the last copy, keeps its
 * newer entries and those that the source lacks.
 */
export async function copyState(
  source: Pick<Store, 'sharedState'>,
  target: Pick<Store, 'sharedState'>,
): Promise<StateCopy> {
  const copied = await source.sharedState(copyOf)
  copied.progress.delete(markKey)
  return target.sharedState(state => {
    const isUntouched = isEmpty(state) || state.progress.get(markKey) === markOf(state)
    const result: StateCopy = { changed: 0, onlyInTarget: {} }
    state.progress.delete(markKey)
    for (const name of sharedCollections) merge(name, copied, state, isUntouched, result)
    // If the states differ, the mark stays unset, so that later copies preserve the entries that are only in the target.
    const mark = markOf(state)
    if (mark === markOf(copied)) state.progress.set(markKey, mark)
    return result
  })
}

/**
 * If the stores have different entries with the same key, the entry for which the collection's function returns the greater
 * number is newer. In a collection without a function, such entries never differ, or the source's entry wins.
 */
const times: { [Each in Name]?: (value: Value<Each>) => number } = {
  failures: ({ stateMs }) => stateMs,
  signatures: ({ seenMs }) => seenMs,
  deliveries: ({ attempts }) => attempts,
  tokens: ({ usedMs }) => usedMs ?? 0,
  settings: ({ changedMs }) => changedMs,
}

/** The key of the `progress` entry that identifies the state after the last copy. */
const markKey = 'copy'

function merge<Each extends Name>(
  name: Each,
  source: SharedState,
  target: SharedState,
  isUntouched: boolean,
  result: StateCopy,
): void {
  const from: ReadonlyMap<string, Value<Each>> = source[name]
  const into: Map<string, Value<Each>> = target[name]
  const timeOf: ((value: Value<Each>) => number) | undefined = times[name]
  for (const [key, value] of from) {
    const existing = into.get(key)
    if (existing !== undefined) {
      if (isDeepStrictEqual(comparable(name, existing), comparable(name, value))) continue
      if (!isUntouched && timeOf !== undefined && timeOf(existing) > timeOf(value)) continue
    }
    into.set(key, value)
    result.changed += 1
  }
  const others = [...into.keys()].filter(key => !from.has(key))
  if (!isUntouched && others.length > 0) result.onlyInTarget[name] = others.length
  if (!isUntouched) return
  for (const key of others) into.delete(key)
  result.changed += others.length
}

/** Copies the maps, but not their values, which are never modified. */
function copyOf(state: SharedState): SharedState {
  const copy = emptyState()
  for (const name of sharedCollections) addAll(name, state, copy)
  return copy
}

function addAll<Each extends Name>(name: Each, from: SharedState, into: SharedState): void {
  const source: ReadonlyMap<string, Value<Each>> = from[name]
  const target: Map<string, Value<Each>> = into[name]
  for (const [key, value] of source) target.set(key, value)
}

function isEmpty(state: SharedState): boolean {
  return sharedCollections.every(name => state[name].size === 0)
}

/** A hash of the state without the mark, in decimal digits, so that every engine can store it as a position. */
function markOf(state: SharedState): string {
  const hash = createHash('sha256')
  for (const name of sharedCollections) {
    const entries = [...state[name]].filter(([key]) => name !== 'progress' || key !== markKey)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    hash.update(JSON.stringify([name, entries.map(([key, value]) => [key, sorted(comparable(name, value))])]))
  }
  return String(Number.parseInt(hash.digest('hex').slice(0, 12), 16))
}

/** Returns a value that is equal in all engines: DuckDB stores only the lowest id of a position. */
function comparable(name: Name, value: unknown): unknown {
  return name === 'progress' ? lowestId(String(value)) : value
}

/** Returns the value with sorted keys, because engines return keys in different orders. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]),
  )
}
