import { formatCount, pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { spanning } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { plainText } from '../../components/plain-text.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Ago } from '../../components/time.tsx'

/** The releases in which the failure occurred, newest first. */
export function Releases({ failure: { id, perRelease, omittedReleases } }: { failure: FailureDetail }) {
  const q = withTerm('', 'failure', id)
  return (
    <div>
      <h3>Releases</h3>
      <ScrollArea label="Occurrences by release">
        <table className="releases">
          <caption className="visually-hidden">Occurrences by release</caption>
          <thead>
            <tr>
              <th scope="col">Release</th>
              <th scope="col" className="num">
                Count
              </th>
              <th scope="col">First seen</th>
              <th scope="col">Last seen</th>
            </tr>
          </thead>
          <tbody>
            {perRelease.map(({ release, count, firstSeenMs, lastSeenMs }) => (
              <tr key={release ?? ''}>
                <th scope="row" title={release === null ? undefined : plainText(release)}>
                  <bdi>{release === null ? '(no release)' : plainText(release)}</bdi>
                </th>
                <td className="num">
                  <a
                    href={paths.activities({
                      q: release === null ? `${q} -release:*` : withTerm(q, 'release', release),
                      range: spanning(firstSeenMs, lastSeenMs),
                    })}
                    aria-label={`Show ${pluralise(count, 'occurrence')} in the log`}
                  >
                    {formatCount(count)}
                  </a>
                </td>
                <td>
                  <Ago ms={firstSeenMs} />
                </td>
                <td>
                  <Ago ms={lastSeenMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {omittedReleases > 0 && <p className="muted">and {pluralise(omittedReleases, 'older release')}</p>}
    </div>
  )
}
