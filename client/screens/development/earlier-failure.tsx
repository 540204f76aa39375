import { paths } from '../../../shared/paths.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { Notice } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'

/** Links to the failure that happened first in the request whose log is shown, because it is probably the cause. */
export function EarlierFailure({ failure: { requestLog } }: { failure: FailureDetail }) {
  const earlier = requestLog?.earlierFailure
  const event = requestLog?.events.find(({ id }) => id === earlier?.eventId)
  if (earlier == null || event === undefined) return null
  const { service, exceptionType, exceptionMessage, body } = event
  return (
    <Notice
      tone="warn"
      title={
        requestLog?.earlierOccurrence === null
          ? 'Another failure happened earlier in this request'
          : 'Another failure came first in the request of an earlier occurrence'
      }
    >
      <a href={paths.development({ failure: earlier.failureId })}>
        <bdi>{plainText(exceptionType ?? 'Error')}</bdi>
      </a>{' '}
      in <bdi>{plainText(service)}</bdi>: <bdi>{plainText(exceptionMessage ?? body)}</bdi>
    </Notice>
  )
}
