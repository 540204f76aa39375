import type { FailureDetail, OccurrenceKey } from '../../../shared/screens/development.ts'
import { plainText } from '../../components/plain-text.ts'
import { Time } from '../../components/time.tsx'
import { occurrenceHref } from './occurrence-href.ts'

/** Links to the occurrence that a part of the page shows, and says why it is not the latest one. */
export function OtherOccurrence(props: {
  failure: FailureDetail
  occurrence: OccurrenceKey
  /** The end of the sentence. */
  reason: string
}) {
  const { failure, occurrence, reason } = props
  const { id, timeMs, release } = occurrence
  return (
    <p className="failure-other muted">
      From the occurrence at{' '}
      <a href={occurrenceHref(failure, id)}>
        <Time ms={timeMs} precision="millisecond" />
      </a>
      {release !== null && (
        <>
          {' '}
          in release <bdi>{plainText(release)}</bdi>
        </>
      )}
      , {reason}.
    </p>
  )
}
