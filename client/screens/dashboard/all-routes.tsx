import { formatCount } from '../../../shared/format.ts'
import { type DashboardView, paths } from '../../../shared/paths.ts'
import { rangeWords } from '../../../shared/range.ts'
import type { DashboardRoutes } from '../../../shared/screens/dashboard.ts'
import { ButtonLink } from '../../components/button.tsx'
import { EmptyState } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'
import { RangePicker } from '../../components/range-picker.tsx'
import { viewOf } from './dashboard-view.ts'
import { RouteOrders, RouteTable, sorted } from './route-table.tsx'

/** One page of the list of all routes. */
export function AllRoutes({ content }: { content: DashboardRoutes }) {
  const { routes, routeCount, first, page, range, service, sort } = content
  const view: DashboardView = { ...viewOf(content), table: 'routes' }
  const last = first + routes.length - 1
  return (
    <div className="dashboard">
      <header className="dashboard-head">
        <h1>
          Routes
          <span className="muted">
            {routes.length < routeCount
              ? `, ${formatCount(first)}–${formatCount(last)} of ${formatCount(routeCount)}`
              : `, ${formatCount(routeCount)}`}
          </span>
        </h1>
        <RangePicker
          range={range}
          window={content.window}
          hrefFor={each => paths.dashboard({ ...view, range: each })}
        />
      </header>
      <p>
        <a href={paths.dashboard(viewOf(content))}>
          {service === null ? 'Dashboard of all services' : `Dashboard of ${plainText(service)}`}
        </a>
      </p>
      <div className="dashboard-orders">
        <RouteOrders
          sort={sort}
          hrefOf={each => paths.dashboard({ ...sorted(content, each), table: 'routes' })}
        />
      </div>
      {routes.length === 0 ? (
        <EmptyState title={`No requests in the ${rangeWords(range)}`}>
          <p>Select a longer time range.</p>
        </EmptyState>
      ) : (
        <RouteTable content={content} during={rangeWords(range)} />
      )}
      {routes.length < routeCount && (
        <nav className="pages" aria-label="Pages">
          {page > 1 && (
            <ButtonLink href={paths.dashboard({ ...view, page: page === 2 ? undefined : page - 1 })}>
              Previous
            </ButtonLink>
          )}
          {last < routeCount && (
            <ButtonLink href={paths.dashboard({ ...view, page: page + 1 })}>Next</ButtonLink>
          )}
        </nav>
      )}
    </div>
  )
}
