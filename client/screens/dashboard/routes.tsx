import {
  formatCount,
  formatDuration,
  formatPerMinute,
  formatRatio,
  pluralise,
} from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import { requestsHref } from '../../../shared/request-search.ts'
import {
  type DashboardOverview,
  type RouteRow,
  type RouteSort,
  routeSorts,
} from '../../../shared/screens/dashboard.ts'
import { Chip } from '../../components/chip.tsx'
import { Isolated } from '../../components/isolated.tsx'
import { plainText } from '../../components/plain-text.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Section } from '../../components/section.tsx'
import { viewOf } from './dashboard-view.ts'

const sortWords: Readonly<Record<RouteSort, string>> = {
  slowest: 'Slowest',
  failing: 'Highest error rate',
  busiest: 'Busiest',
}

/** The slowest routes, the busiest, or those with the highest error rates. Request counts link to their events. */
export function Routes({ content, during }: { content: DashboardOverview; during: string }) {
  const { routes, routeCount, sort, window } = content
  const caption = `Routes, ${sortWords[sort].toLowerCase()} first, ${during}`
  return (
    <Section
      title="Routes"
      id="routes"
      count={routes.length < routeCount ? `${routes.length} of ${formatCount(routeCount)}` : routeCount}
      actions={routeSorts.map(each => (
        <Chip
          key={each}
          href={`${paths.dashboard({ ...viewOf(content), sort: each === 'slowest' ? undefined : each })}#routes`}
          active={each === sort}
        >
          {sortWords[each]}
        </Chip>
      ))}
    >
      <ScrollArea label={caption}>
        <table className="dashboard-counts dashboard-routes">
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">Route</th>
              <th scope="col">Service</th>
              {['Requests', 'Per minute', 'Failed', 'Error rate', 'p50', 'p95', 'p99'].map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {routes.map(row => (
              <Row
                key={`${row.service}\n${row.method ?? ''}\n${row.route ?? ''}`}
                row={row}
                window={window}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </Section>
  )
}

function Row({ row, window }: { row: RouteRow; window: Window }) {
  const { service, method, route: template, requests, errors } = row
  const terms = { service, method, route: template }
  const route = plainText(template ?? '(no route)')
  const name = method === null ? route : `${method} ${route}`
  return (
    <tr data-failing={errors > 0 || undefined}>
      <th scope="row">
        <Isolated text={name} />
      </th>
      <td>
        <Isolated text={service} />
      </td>
      <td>
        <a
          href={requestsHref(terms, window)}
          aria-label={`${pluralise(requests, 'request')} to ${name} in the log`}
        >
          {formatCount(requests)}
        </a>
      </td>
      <td>{formatPerMinute(requests / ((window.toMs - window.fromMs) / 1000))}</td>
      <td>
        {errors === 0 ? (
          '0'
        ) : (
          <a
            href={requestsHref(terms, window, 'errors')}
            aria-label={`${pluralise(errors, 'failed request')} to ${name} in the log`}
          >
            {formatCount(errors)}
          </a>
        )}
      </td>
      <td>{formatRatio(errors / requests)}</td>
      <td>{formatDuration(row.p50Ms)}</td>
      <td>{formatDuration(row.p95Ms)}</td>
      <td>{formatDuration(row.p99Ms)}</td>
    </tr>
  )
}
