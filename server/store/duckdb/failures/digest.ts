import type { Pattern } from '../../common/compares.ts'
import { bareDigest, barePattern, digestSuffix } from '../../common/digest.ts'
import { type Sql, sql } from '../../common/sql.ts'
import type { Terms } from '../sql/compute-once.ts'
import { matches } from '../sql/match.ts'

/** Returns a condition that is true for events with this digest, with or without the suffix. */
export function hasDigest(digest: string): Sql {
  return sql`regexp_replace(digest, ${digestSuffix}, '') = ${bareDigest(digest)}`
}

/** Like `hasDigest`, but for the search language, which ignores case and supports wildcards. */
export function matchesDigest(terms: Terms, pattern: Pattern): Sql {
  const bare = sql`regexp_replace(digest, ${digestSuffix}, '')`
  return sql`(${matches(terms, pattern, sql`digest`)} OR ${matches(terms, barePattern(pattern), sql`digest`, bare)})`
}
