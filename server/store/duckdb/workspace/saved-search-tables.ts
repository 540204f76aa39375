import type { SavedSearch } from '../../../../shared/saved-search.ts'
import { number, type Row, text } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { SavedSearches } from '../../saved-search-store.ts'
import type { Source } from '../sql/source.ts'
import type { Workspace } from './workspace.ts'

/** @param queryCached caches results until the workspace changes */
export function createSavedSearches(
  queryCached: Source['queryCached'],
  { execute }: Pick<Workspace, 'execute'>,
): SavedSearches {
  return {
    async list() {
      const rows = await queryCached(sql`SELECT * FROM workspace.saved_search ORDER BY lower(name), name`)
      return rows.map(readSavedSearch)
    },
    save: ({ id, name, view, createdMs }) =>
      execute(
        sql`DELETE FROM workspace.saved_search WHERE name = ${name}`,
        sql`INSERT INTO workspace.saved_search VALUES (${id}, ${name}, ${view}, ${createdMs})`,
      ),
    remove: id => execute(sql`DELETE FROM workspace.saved_search WHERE id = ${id}`),
  }
}

/** @throws TypeError if the row lacks a column */
export function readSavedSearch(row: Row): SavedSearch {
  return {
    id: text(row.id),
    name: text(row.name),
    view: text(row.view),
    createdMs: number(row.created_ms),
  }
}
