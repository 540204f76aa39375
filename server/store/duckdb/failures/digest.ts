import { bareDigest, digestSuffix } from '../../common/digest.ts'
import { matches } from '../sql/match.ts'
import { type Sql, sql } from '../sql/sql.ts'

/** Events with this digest, as it came or with or without the suffix. */
export function hasDigest(digest: string): Sql {
  return sql`regexp_replace(digest, ${digestSuffix}, '') = ${bareDigest(digest)}`
}

/** The same for the search language, which disregards case and knows wildcards. */
export function matchesDigest(pattern: string): Sql {
  return sql`(${matches(sql`digest`, pattern)} OR ${matches(sql`regexp_replace(digest, ${digestSuffix}, '')`, bareDigest(pattern))})`
}
