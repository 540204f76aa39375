import type { AttributeKey } from '../../../shared/columns.ts'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { spanning } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'

type Failure = Pick<FailureDetail, 'id' | 'firstSeenMs' | 'lastSeenMs'>

/** The URL of an occurrence in the log, among all occurrences of its failure. */
export function occurrenceHref(failure: Failure, eventId: number): string {
  return paths.activities({ ...occurrencesOf(failure), event: eventId })
}

/** The URL of the log of all occurrences, with the values of an attribute counted. */
export function countsHref(failure: Failure, facet: AttributeKey): string {
  return `${paths.activities({ ...occurrencesOf(failure), facet })}#filters`
}

function occurrencesOf({ id, firstSeenMs, lastSeenMs }: Failure) {
  return { q: withTerm('', 'failure', id), range: spanning(firstSeenMs, lastSeenMs) }
}
