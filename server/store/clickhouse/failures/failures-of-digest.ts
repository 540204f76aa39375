import { bareDigest } from '../../common/digest.ts'
import { maxFailuresOfDigest } from '../../common/list-limits.ts'
import { type Row, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { failureIdOf } from '../../state/failure-ids.ts'
import { description, descriptionRank, digestsSeen, preferProjection } from '../sql/expressions.ts'
import type { Source } from '../sql/source.ts'
import { withoutSuffix } from './digest.ts'

/** With more digests, a query for each digest is faster. The result for this number of digests can be cached. */
const maxDigests = 8000

/** See `FailureStore`. Reads all digests at once, because many searches may contain a digest. */
export async function failuresOfDigest(
  source: Pick<Source, 'selectOfFailures' | 'read' | 'events'>,
  digest: string,
): Promise<string[]> {
  const bare = bareDigest(digest)
  const all = await source.selectOfFailures(digestsWhere(source, sql`true`, maxDigests + 1))
  const found =
    all.length > maxDigests
      ? fingerprintsOf(
          await source.selectOfFailures(digestsWhere(source, sql`${withoutSuffix} = ${bare}`, maxDigests)),
          bare,
        )
      : fingerprintsOf(all, bare)
  const ids = await source.read(state => found.map(fingerprint => failureIdOf(state, fingerprint)))
  return [...new Set(ids)].slice(0, maxFailuresOfDigest)
}

/** Selects the digests of each fingerprint, best first. */
function digestsWhere({ events }: Pick<Source, 'events'>, condition: Sql, limit: number): Sql {
  // The projection contains the exception of only one event of each group, but other events of the group rarely differ.
  return sql`
    SELECT ${withoutSuffix} AS bare_digest, fingerprint
    FROM (
      SELECT fingerprint, source, ${digestsSeen} AS digests_seen,
        argMax(${description}, ${descriptionRank}).1 IS NOT NULL AS has_exception
      ${events} AND fingerprint IS NOT NULL GROUP BY fingerprint, source ${preferProjection('failures')}
    ) ARRAY JOIN digests_seen.1 AS digest, digests_seen.2 AS seen
    WHERE ${condition}
    GROUP BY bare_digest, fingerprint ORDER BY max((source <> 'browser', has_exception, seen)) DESC LIMIT ${limit}`
}

/** The fingerprints by digest, for each result. */
const indexes = new WeakMap<readonly Row[], Map<string, string[]>>()

function fingerprintsOf(rows: readonly Row[], bare: string): readonly string[] {
  const index = indexes.get(rows) ?? indexByDigest(rows)
  indexes.set(rows, index)
  return index.get(bare) ?? []
}

function indexByDigest(rows: readonly Row[]): Map<string, string[]> {
  const index = new Map<string, string[]>()
  for (const row of rows) {
    const digest = text(row.bare_digest)
    const fingerprints = index.get(digest) ?? []
    fingerprints.push(text(row.fingerprint))
    index.set(digest, fingerprints)
  }
  return index
}
