import { failingShare } from '../../../shared/failing-share.ts'
import {
  formatCount,
  formatDuration,
  formatPerMinute,
  formatRatio,
  pluralise,
} from '../../../shared/format.ts'
import type { DashboardView } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import { requestsHref, slowRequestsHref } from '../../../shared/request-search.ts'
import {
  type DashboardOverview,
  type DashboardRoutes,
  type RouteRow,
  type RouteSort,
  routeSorts,
} from '../../../shared/screens/dashboard.ts'
import { Chip } from '../../components/chip.tsx'
import { Isolated } from '../../components/isolated.tsx'
import { plainText } from '../../components/plain-text.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { viewOf } from './dashboard-view.ts'

const sortWords: Readonly<Record<RouteSort, string>> = {
  slowest: 'Slowest',
  failing: 'Highest error rate',
  busiest: 'Busiest',
}

export type Routed = DashboardOverview | DashboardRoutes

/** The view with the routes in a different order. */
export function sorted(content: Routed, sort: RouteSort): DashboardView {
  return viewOf({ ...content, sort })
}

/** Links that sort the routes. */
export function RouteOrders({ sort, hrefOf }: { sort: RouteSort; hrefOf: (sort: RouteSort) => string }) {
  return routeSorts.map(each => (
    <Chip key={each} href={hrefOf(each)} active={each === sort}>
      {sortWords[each]}
    </Chip>
  ))
}

/** Request counts link to events. Percentiles are links only in the list of all routes, to keep the dashboard small. */
export function RouteTable({ content, during }: { content: Routed; during: string }) {
  const { routes, sort, window, view } = content
  const caption = `Routes, ${sortWords[sort].toLowerCase()} first, ${during}`
  return (
    <ScrollArea label={caption}>
      <table className="dashboard-counts dashboard-routes">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {['Route', 'Service', 'Requests', 'Per minute', 'Failed', 'Error rate', 'p50', 'p95', 'p99'].map(
              name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {routes.map(row => (
            <Row
              key={`${row.service}\n${row.method ?? ''}\n${row.route ?? ''}`}
              row={row}
              window={window}
              linksPercentiles={view === 'routes'}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function Row(props: { row: RouteRow; window: Window; linksPercentiles: boolean }) {
  const { row, window, linksPercentiles } = props
  const { service, method, route: template, requests, errors } = row
  const terms = { service, method, route: template }
  const route = plainText(template ?? '(no route)')
  const name = method === null ? route : `${method} ${route}`
  const percentile = (ms: number | null) =>
    linksPercentiles && ms !== null ? (
      <a
        href={slowRequestsHref(terms, window, ms)}
        aria-label={`Requests to ${name} taking about ${formatDuration(ms)} or longer, in the log`}
      >
        {formatDuration(ms)}
      </a>
    ) : (
      formatDuration(ms)
    )
  return (
    <tr data-tone={toneOf(row)}>
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
      <td>{percentile(row.p95Ms)}</td>
      <td>{percentile(row.p99Ms)}</td>
    </tr>
  )
}

/** The colour of the error rate, which is that of a service's state: degraded or failing. */
function toneOf({ requests, errors }: RouteRow): 'bad' | 'warn' | undefined {
  if (errors === 0) return undefined
  return errors >= failingShare * requests ? 'bad' : 'warn'
}
