import type { Query } from '../../shared/query.ts'
import type { SearchWord } from '../../shared/query-words.ts'
import { QuerySyntaxError } from './syntax-error.ts'

/** Limits memory use, because the store copies the value of each searched attribute for many events at a time. */
const maxAttributes = 10

/**
 * Checks the number of different attributes in the terms.
 * @throws QuerySyntaxError for the first term over the limit
 */
export function checkAttributes(terms: readonly SearchWord[], queries: readonly Query[]): void {
  const paths = new Set<string>()
  for (const [index, term] of terms.entries()) {
    const path = pathOf(queries[index])
    if (path !== null) paths.add(path)
    if (paths.size > maxAttributes) {
      throw new QuerySyntaxError(
        `A search can use at most ${maxAttributes} different attributes. To search all attributes for a value, write it without a name.`,
        term,
      )
    }
  }
}

function pathOf(query: Query | undefined): string | null {
  if (query?.kind === 'attribute') return query.path
  if (query?.kind === 'exists' || query?.kind === 'between') {
    return typeof query.field === 'string' ? null : query.field.path
  }
  return null
}
