import { digestSuffix } from '../../common/digest.ts'
import { sql } from '../../common/sql.ts'

/** The digest of an event without the suffix `@E…`. */
export const withoutSuffix = sql`replaceRegexpOne(digest, ${digestSuffix}, '')`
