import type { Static } from 'typebox'
import type { collections } from './collections.ts'

/**
 * Everything that an engine stores besides events and the contents of source maps. Fits in memory. Values are
 * replaced, never changed in place. The entries of a collection are in the order in which they were stored.
 */
export type State = { [Name in CollectionName]: Map<string, Static<(typeof collections)[Name]>> }

export type CollectionName = keyof typeof collections

/** Runs work that reads or changes the state. Concurrent calls run one after another. Changes are stored atomically. */
export type AccessState = <T>(work: (state: State) => T, signal?: AbortSignal) => Promise<T>

/** @param newMap creates the map of a collection */
export function emptyState(
  newMap: <Value>(name: CollectionName) => Map<string, Value> = () => new Map(),
): State {
  return {
    failureIds: newMap('failureIds'),
    failures: newMap('failures'),
    signatures: newMap('signatures'),
    mergedFrom: newMap('mergedFrom'),
    follows: newMap('follows'),
    splits: newMap('splits'),
    notes: newMap('notes'),
    progress: newMap('progress'),
    savedSearches: newMap('savedSearches'),
    sourceMaps: newMap('sourceMaps'),
    appliedSourceMaps: newMap('appliedSourceMaps'),
    webhooks: newMap('webhooks'),
    deliveries: newMap('deliveries'),
    tokens: newMap('tokens'),
    tokenUses: newMap('tokenUses'),
    endedSessions: newMap('endedSessions'),
    eventChanges: newMap('eventChanges'),
    audit: newMap('audit'),
    undos: newMap('undos'),
    settings: newMap('settings'),
  }
}
