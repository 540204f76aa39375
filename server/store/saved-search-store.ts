import type { SavedSearch } from '../../shared/saved-search.ts'

/** Views of the log that people gave a name, for everyone who uses the console. */
export type SavedSearches = {
  /** In the order of their names. */
  list(): Promise<SavedSearch[]>
  /** Keeps one under its name: it takes the place of one that has the name already. */
  save(search: SavedSearch): Promise<void>
  remove(id: string): Promise<void>
}
