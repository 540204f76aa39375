import { paths } from '../../../shared/paths.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { Notice } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Ago } from '../../components/time.tsx'

const maxOtherMessageLength = 160

/**
 * Shows which digest was requested, or that the failure does not have it. Links to the latest occurrence of the failure,
 * unless the page already shows it, and to other failures with the digest.
 */
export function DigestNotice({ failure }: { failure: FailureDetail }) {
  const { id, shownDigest, missingDigest, othersWithDigest, occurrences, lastSeenMs } = failure
  const [newest] = occurrences
  if (missingDigest !== null)
    return (
      <div className="failure-of-digest">
        <Notice
          tone="warn"
          title={`No stored occurrence of this failure has digest ${plainText(missingDigest)}`}
        >
          {othersWithDigest.length === 0 && 'Its events may have expired.'}
          <Others failures={othersWithDigest} digest={missingDigest} />
        </Notice>
      </div>
    )
  if (shownDigest === null || newest === undefined) return null
  return (
    <div className="failure-of-digest">
      <Notice tone="neutral" title={`Showing digest ${plainText(shownDigest)}`}>
        Last seen <Ago ms={newest.timeMs} />
        {newest.release !== null && (
          <>
            {' '}
            in release <bdi>{plainText(newest.release)}</bdi>
          </>
        )}
        .{' '}
        {newest.timeMs < lastSeenMs ? (
          <a href={paths.development({ failure: id })}>Show latest occurrence</a>
        ) : (
          'This is the latest occurrence.'
        )}
        <Others failures={othersWithDigest} digest={shownDigest} />
      </Notice>
    </div>
  )
}

/** Links to other failures with the digest. */
function Others({ failures, digest }: { failures: FailureDetail['othersWithDigest']; digest: string }) {
  if (failures.length === 0) return null
  return (
    <>
      <p>Other failures with this digest:</p>
      <ul>
        {failures.map(({ id, type, message }) => (
          <li key={id}>
            <a href={paths.development({ failure: id, digest })}>
              <bdi>
                {plainText(message === '' ? type : `${type}: ${message.slice(0, maxOtherMessageLength)}`)}
              </bdi>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
