import { failureStates } from '../../../../shared/failure.ts'
import type { Query } from '../../../../shared/query.ts'
import { lowerCase } from '../../common/lower-case.ts'
import { number } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { Segment } from '../engine/segments.ts'
import type { FingerprintsOf } from '../sql/compile.ts'
import { type Source, segmentsWithIds } from '../sql/source.ts'
import { values } from './failure-id.ts'

/** With more fingerprints, every segment probably contains one of them. */
const maxFingerprints = 100

/**
 * Returns the segments that may contain events of the failures in a search. Most failures occur in only a few segments.
 */
export async function segmentsOfFailures(
  { summary, queryCached }: Pick<Source, 'summary' | 'queryCached'>,
  query: Query,
  fingerprintsOf: FingerprintsOf,
  segments: readonly Segment[],
): Promise<readonly Segment[]> {
  const fingerprints = fingerprintsIn(query, fingerprintsOf)
  if (fingerprints === null || fingerprints.length > maxFingerprints || segments.length < 2) return segments
  const rows = await queryCached(
    sql`SELECT newest.id AS id FROM ${await summary('failure_summary')}
      WHERE lower(fingerprint) IN (${values(fingerprints)})`,
    'failures',
  )
  return segmentsWithIds(
    segments,
    rows.map(({ id }) => number(id)),
  )
}

/** Returns a list of fingerprints that covers every matching event, or `null` if other events may match. */
function fingerprintsIn(query: Query, fingerprintsOf: FingerprintsOf): readonly string[] | null {
  switch (query.kind) {
    case 'and':
      return fingerprintsIn(query.left, fingerprintsOf) ?? fingerprintsIn(query.right, fingerprintsOf)
    case 'or': {
      const left = fingerprintsIn(query.left, fingerprintsOf)
      const right = fingerprintsIn(query.right, fingerprintsOf)
      return left === null || right === null ? null : [...left, ...right]
    }
    case 'field':
      if (query.field === 'failure' && !failureStates.some(state => state === query.value))
        return fingerprintsOf(String(query.value)).map(lowerCase)
      return query.field === 'fingerprint' && query.comparison === '=' && query.literal === true
        ? [lowerCase(String(query.value))]
        : null
    default:
      return null
  }
}
