import type { FailureDetail, OccurrenceKey } from '../../../shared/screens/development.ts'
import { plainText } from '../../components/plain-text.ts'
import { Time } from '../../components/time.tsx'
import { occurrenceHref } from './occurrence-href.ts'

/** Links to the occurrence that a part of the page shows. */
export function OtherOccurrence(props: {
  failure: FailureDetail
  occurrence: OccurrenceKey
  /** The start of the sentence, such as “This part is”. */
  subject?: string
  /** Why this is not the latest occurrence. */
  reason?: string
}) {
  const { failure, occurrence, subject, reason } = props
  const { id, timeMs, release } = occurrence
  return (
    <p className="failure-other muted">
      {subject === undefined ? 'From' : `${subject} from`} the occurrence at{' '}
      <a href={occurrenceHref(failure, id)}>
        <Time ms={timeMs} precision="millisecond" />
      </a>
      {release !== null && (
        <>
          {' '}
          in release <bdi>{plainText(release)}</bdi>
        </>
      )}
      {reason !== undefined && `, ${reason}`}.
    </p>
  )
}
