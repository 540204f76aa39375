import { formatCount, pluralise } from '../../../shared/format.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { plainText } from '../../components/plain-text.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Ago } from '../../components/time.tsx'

/** The releases in which the failure occurred, newest first. */
export function Releases({ failure: { perRelease, omittedReleases } }: { failure: FailureDetail }) {
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
                <td className="num">{formatCount(count)}</td>
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
