import type { ServiceRow } from '../../../shared/content.ts'
import { formatCount, formatDuration, formatPerMinute, formatRatio } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import type { Range } from '../../../shared/range.ts'
import { StateLabel } from '../../components/badge.tsx'
import { Icon } from '../../components/icon.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Sparkline } from '../../components/sparkline.tsx'
import { Ago } from '../../components/time.tsx'

/** The services, the worst first; a name leads to the service's events, the icon beside it to its figures. */
export function ServiceTable(props: { services: ServiceRow[]; range: Range; caption: string }) {
  return (
    <table className="home-services">
      <caption className="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col">State</th>
          <th scope="col" className="num">
            Failures
          </th>
          <th scope="col" className="num">
            Requests/min
          </th>
          <th scope="col" className="num">
            5xx
          </th>
          <th scope="col" className="num">
            p95
          </th>
          <th scope="col">Events</th>
          <th scope="col">Last seen</th>
        </tr>
      </thead>
      <tbody>
        {props.services.map(service => (
          <Row key={service.service} row={service} range={props.range} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row, range }: { row: ServiceRow; range: Range }) {
  const name = plainText(row.service)
  const events = row.sparkline.reduce((sum, count) => sum + count, 0)
  return (
    <tr data-state={row.state}>
      <th scope="row" className="home-service">
        <a href={paths.activities({ q: withTerm('', 'service', row.service), range })}>
          <bdi>{name}</bdi>
        </a>
        {row.release !== null && <span className="home-release muted">{plainText(row.release)}</span>}
        <a
          className="home-figures"
          href={paths.dashboard({ service: row.service, range })}
          aria-label={`Figures of ${name}`}
          title={`Figures of ${name}`}
        >
          <Icon name="dashboard" />
        </a>
      </th>
      <td className="home-state">
        <StateLabel state={row.state} />
      </td>
      <td className="num" data-label="Failures">
        {formatCount(row.failures)}
      </td>
      <td className="num" data-label="Requests/min">
        {formatPerMinute(row.requestRate)}
      </td>
      <td className="num" data-label="5xx">
        {formatRatio(row.errorRatio)}
      </td>
      <td className="num" data-label="p95">
        {formatDuration(row.p95Ms)}
      </td>
      <td className="home-trend">
        <Sparkline
          values={row.sparkline}
          label={events === 1 ? '1 event' : `${formatCount(events)} events`}
          tone={row.state === 'silent' ? 'muted' : 'neutral'}
        />
      </td>
      <td className="home-seen">
        <Ago ms={row.lastSeenMs} />
      </td>
    </tr>
  )
}
