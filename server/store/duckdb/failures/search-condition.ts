import { failureStates } from '../../../../shared/failure.ts'
import { fieldEquals, type Query } from '../../../../shared/query.ts'
import { compile } from '../sql/compile.ts'
import type { Source } from '../sql/source.ts'
import type { Sql } from '../sql/sql.ts'
import { allFingerprints } from './failure-id.ts'

/**
 * Returns a condition that is true for events that match a search. First looks up the fingerprints of the failures in the
 * search, because the engine reads far fewer rows with constants than with a subquery.
 */
export async function searchCondition(source: Pick<Source, 'query'>, query: Query): Promise<Sql> {
  return compile(await withFingerprints(source, query))
}

async function withFingerprints(source: Pick<Source, 'query'>, query: Query): Promise<Query> {
  switch (query.kind) {
    case 'and':
    case 'or': {
      const left = await withFingerprints(source, query.left)
      return { ...query, left, right: await withFingerprints(source, query.right) }
    }
    case 'not':
      return { ...query, query: await withFingerprints(source, query.query) }
    case 'field': {
      if (query.field !== 'failure' || failureStates.some(state => state === query.value)) return query
      const [first, ...others] = await allFingerprints(source, String(query.value))
      return others.reduce<Query>(
        (left, fingerprint) => ({ kind: 'or', left, right: fieldEquals('fingerprint', fingerprint) }),
        fieldEquals('fingerprint', first ?? String(query.value)),
      )
    }
    default:
      return query
  }
}
