import { paths } from '../../../shared/paths.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { Notice } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Ago } from '../../components/time.tsx'

const maxOtherMessageLength = 160

/** Shows which digest was requested. Links to the latest occurrence of the failure, unless the page already shows it. */
export function DigestNotice({ failure }: { failure: FailureDetail }) {
  const { id, shownDigest, othersWithDigest, occurrences, lastSeenMs } = failure
  const [newest] = occurrences
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
        {othersWithDigest.length > 0 && (
          <>
            <p>Other failures with this digest:</p>
            <ul>
              {othersWithDigest.map(({ id, type, message }) => (
                <li key={id}>
                  <a href={paths.development({ failure: id, digest: shownDigest })}>
                    <bdi>
                      {plainText(
                        message === '' ? type : `${type}: ${message.slice(0, maxOtherMessageLength)}`,
                      )}
                    </bdi>
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </Notice>
    </div>
  )
}
