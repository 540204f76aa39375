import { formatCount } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { type DashboardOverview, maxRoutes } from '../../../shared/screens/dashboard.ts'
import { Section } from '../../components/section.tsx'
import { viewOf } from './dashboard-view.ts'
import { RouteOrders, RouteTable, sorted } from './route-table.tsx'

/** The first routes in the selected order, with a link to the list of all routes. */
export function Routes({ content, during }: { content: DashboardOverview; during: string }) {
  const { routes, routeCount, sort } = content
  const isCut = routes.length < routeCount
  return (
    <Section
      title="Routes"
      id="routes"
      count={isCut ? `${routes.length} of ${formatCount(routeCount)}` : routeCount}
      actions={
        <RouteOrders sort={sort} hrefOf={each => `${paths.dashboard(sorted(content, each))}#routes`} />
      }
    >
      <RouteTable content={content} during={during} />
      {isCut && (
        <p className="dashboard-routes-all">
          <a href={paths.dashboard({ ...viewOf(content), table: 'routes' })}>
            {routeCount === maxRoutes
              ? `Show the ${formatCount(routeCount)} busiest routes`
              : `Show all ${formatCount(routeCount)} routes`}
          </a>
        </p>
      )}
    </Section>
  )
}
