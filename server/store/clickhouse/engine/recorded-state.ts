import { type CollectionName, emptyState, type State } from '../../state/state.ts'
import { RecordedMap } from './recorded-map.ts'

/** The collection and key of an entry. */
export type EntryKey = readonly [collection: CollectionName, key: string]

/** A state in memory that records which of its entries change. */
export type RecordedState = {
  state: State
  /** Starts to record changes. */
  record(): void
  /** Ends the recording. Returns the changed entries. */
  takeChanges(): EntryKey[]
  /** Ends the recording, and restores the changed entries. */
  undoChanges(): void
  /** Returns the value of an entry, or `undefined` if there is no such entry. */
  valueOf(entry: EntryKey): unknown
  /** Deletes all entries. */
  clear(): void
}

export function createRecordedState(): RecordedState {
  const maps = new Map<CollectionName, RecordedMap<unknown>>()
  const state = emptyState(<Value>(name: CollectionName) => {
    const map = new RecordedMap<Value>()
    maps.set(name, map)
    return map
  })
  return {
    state,
    record() {
      for (const map of maps.values()) map.record()
    },
    takeChanges: () =>
      [...maps].flatMap(([name, map]) => map.takeChanges().map((key): EntryKey => [name, key])),
    undoChanges() {
      for (const map of maps.values()) map.undoChanges()
    },
    valueOf: ([collection, key]) => maps.get(collection)?.get(key),
    clear() {
      for (const map of maps.values()) map.clear()
    },
  }
}
