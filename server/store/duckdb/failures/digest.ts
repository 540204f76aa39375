import { matches } from '../sql/match.ts'
import { type Sql, sql } from '../sql/sql.ts'

/** Next.js shows `<digest>@E<code>` on the page for errors of its own, and logs the bare digest. */
const suffix = '@E[0-9]+$'

/** Events with this digest, as it came or with or without the suffix. */
export function hasDigest(digest: string): Sql {
  return sql`regexp_replace(digest, ${suffix}, '') = ${bare(digest)}`
}

/** The same for the search language, which disregards case and knows wildcards. */
export function matchesDigest(pattern: string): Sql {
  return sql`(${matches(sql`digest`, pattern)} OR ${matches(sql`regexp_replace(digest, ${suffix}, '')`, bare(pattern))})`
}

function bare(digest: string): string {
  return digest.replace(new RegExp(suffix), '')
}
