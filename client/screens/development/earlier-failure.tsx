import type { EventRow } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { Notice } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'

/** Links to the failure that happened first in the same request, because it is probably the cause. */
export function EarlierFailure({ failure }: { failure: FailureDetail }) {
  const earlier = earlierIn(failure)
  if (earlier === undefined) return null
  const { fingerprint, service, exceptionType, exceptionMessage, body } = earlier
  return (
    <Notice tone="warn" title="Another failure happened earlier in this request">
      <a href={paths.development({ failure: fingerprint })}>
        <bdi>{plainText(exceptionType ?? 'Error')}</bdi>
      </a>{' '}
      in <bdi>{plainText(service)}</bdi>: <bdi>{plainText(exceptionMessage ?? body)}</bdi>
    </Notice>
  )
}

/** The first line of the request's log that belongs to another failure and precedes the occurrence. */
function earlierIn(failure: FailureDetail): (EventRow & { fingerprint: string }) | undefined {
  const { requestLog, id, fingerprints } = failure
  const own = new Set([id, ...fingerprints.map(({ fingerprint }) => fingerprint)])
  const events = requestLog?.events ?? []
  const index = events.findIndex(event => event.id === requestLog?.occurrenceId)
  return events.slice(0, Math.max(index, 0)).find(isOther)

  function isOther(event: EventRow): event is EventRow & { fingerprint: string } {
    return event.fingerprint !== null && !own.has(event.fingerprint)
  }
}
