import type { User } from '../../shared/user.ts'
import type { Store } from '../store/store.ts'

/**
 * Returns the store as a user may see it. For a user who may see only some services, the events of other services do not
 * exist. Saved searches and the fingerprints of a failure can mention other services, so these users do not get any.
 */
export function visibleStore(store: Store, { services }: Pick<User, 'services'>): Store {
  if (services === null) return store
  return {
    ...store,
    ...store.limitedTo(services),
    savedSearches: { ...store.savedSearches, list: async () => [] },
    manualGrouping: { ...store.manualGrouping, fingerprints: async () => [] },
  }
}
