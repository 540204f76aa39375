import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { spanning } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'

/** The URL of an occurrence in the log, among all occurrences of its failure. */
export function occurrenceHref(
  { id, firstSeenMs, lastSeenMs }: Pick<FailureDetail, 'id' | 'firstSeenMs' | 'lastSeenMs'>,
  eventId: number,
): string {
  return paths.activities({
    q: withTerm('', 'failure', id),
    range: spanning(firstSeenMs, lastSeenMs),
    event: eventId,
  })
}
