import type { SavedSearch } from '../../shared/saved-search.ts'

/** Named views of the log, shared by all users of the console. */
export type SavedSearches = {
  /** Ordered by name. */
  list(): Promise<SavedSearch[]>
  /** Stores a search, and replaces an existing one with the same name. */
  save(search: SavedSearch): Promise<void>
  remove(id: string): Promise<void>
}
