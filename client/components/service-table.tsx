import { formatCount, formatDuration, formatPerMinute, formatRatio, pluralise } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import { withTerm } from '../../shared/query.ts'
import type { Range, Window } from '../../shared/range.ts'
import type { ServiceRow } from '../../shared/screens/home.ts'
import { Icon } from './icon.tsx'
import { plainText } from './plain-text.ts'
import { StateLabel } from './service-state.tsx'
import { Sparkline } from './sparkline.tsx'
import { Ago } from './time.tsx'

/** A table of services, worst first. The name links to the service's events, and the icon links to its dashboard. */
export function ServiceTable(props: {
  services: ServiceRow[]
  range: Range
  /** The time window that the numbers cover. */
  window: Window
  caption: string
}) {
  return (
    <table className="home-services">
      <caption className="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col">State</th>
          <th scope="col" className="num">
            Occurrences
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
          <Row key={service.service} row={service} range={props.range} window={props.window} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row, range, window }: { row: ServiceRow; range: Range; window: Window }) {
  const name = plainText(row.service)
  const count = row.sparkline.reduce((sum, each) => sum + each, 0)
  const events = pluralise(count, 'event')
  /** The URL of the events that a number counts. */
  const logOf = (terms: string) =>
    paths.activities({ q: withTerm(terms, 'service', row.service), range: window })
  return (
    <tr data-state={row.state}>
      <th scope="row" className="home-service">
        <a href={paths.activities({ q: withTerm('', 'service', row.service), range })} title={name}>
          <bdi>{name}</bdi>
        </a>
        <span className="home-aside">
          {row.release !== null && (
            <span className="home-release muted" title={plainText(row.release)}>
              <bdi>{plainText(row.release)}</bdi>
            </span>
          )}
          <a
            className="home-metrics-link"
            href={paths.dashboard({ service: row.service, range })}
            aria-label={`${name} metrics`}
            title={`${name} metrics`}
          >
            <Icon name="dashboard" />
          </a>
        </span>
      </th>
      <td className="home-state">
        <StateLabel state={row.state} />
      </td>
      <td className="num" data-label="Occurrences">
        {row.failures === 0 ? (
          '0'
        ) : (
          <a
            href={logOf('failure:open')}
            aria-label={`${pluralise(row.failures, 'occurrence')} of failures in ${name}`}
          >
            {formatCount(row.failures)}
          </a>
        )}
      </td>
      <td className="num" data-label="Requests/min">
        {row.requestRate === null ? (
          formatPerMinute(null)
        ) : (
          <a
            href={logOf('status:* duration:*')}
            aria-label={`${formatPerMinute(row.requestRate)} requests per minute in ${name}`}
          >
            {formatPerMinute(row.requestRate)}
          </a>
        )}
      </td>
      <td className="num" data-label="5xx">
        {row.errorRatio === null || row.errorRatio === 0 ? (
          formatRatio(row.errorRatio)
        ) : (
          <a
            href={logOf('status:>=500 duration:*')}
            aria-label={`${formatRatio(row.errorRatio)} 5xx responses in ${name}`}
          >
            {formatRatio(row.errorRatio)}
          </a>
        )}
      </td>
      <td className="num" data-label="p95">
        {formatDuration(row.p95Ms)}
      </td>
      <td className="home-trend">
        {count > 0 && (
          <a href={logOf('')} title={events}>
            <Sparkline values={row.sparkline} label={`${events} in ${name}`} />
          </a>
        )}
      </td>
      <td className="home-seen">
        <Ago ms={row.lastSeenMs} />
      </td>
    </tr>
  )
}
