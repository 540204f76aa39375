import { formatCount, pluralise } from '../../../shared/format.ts'
import { releaseHref } from '../../../shared/request-search.ts'
import type { DashboardOverview } from '../../../shared/screens/dashboard.ts'
import { plainText } from '../../components/plain-text.ts'
import { Time } from '../../components/time.tsx'

/** Lists the releases that are marked in the charts. */
export function Releases({
  releases,
  releaseCount,
  window,
}: Pick<DashboardOverview, 'releases' | 'releaseCount' | 'window'>) {
  if (releases.length === 0) return null
  const unlisted = releaseCount - releases.length
  return (
    <section className="dashboard-releases" aria-label="Releases">
      <h3>{pluralise(releaseCount, 'release')}</h3>
      <ul>
        {releases.map(({ service, release, atMs }) => (
          <li key={`${service}\n${release}`}>
            <Time ms={atMs} precision="minute" />{' '}
            <a href={releaseHref({ service, release }, window)}>
              <bdi>{plainText(service)}</bdi> <bdi>{plainText(release)}</bdi>
            </a>
          </li>
        ))}
        {unlisted > 0 && <li>{`+${formatCount(unlisted)} earlier`}</li>}
      </ul>
    </section>
  )
}
