import { paths } from '../../../shared/paths.ts'
import type { DashboardTable } from '../../../shared/screens/dashboard.ts'
import { Charts } from '../../components/charts.tsx'
import { plainText } from '../../components/plain-text.ts'
import { RangePicker } from '../../components/range-picker.tsx'
import { RawHtml } from '../../components/raw-html.tsx'
import { releaseMarkers, viewOf } from './dashboard-view.ts'

/** One chart with a table of its values. */
export function ChartTable({ content }: { content: DashboardTable }) {
  const { chart, range, service, table } = content
  const view = { ...viewOf(content), table: chart.id }
  return (
    <Charts
      className="dashboard"
      hrefOfWindow={window => paths.dashboard({ ...view, range: window })}
      markers={releaseMarkers(content)}
    >
      <header className="dashboard-head">
        <h1>
          {chart.title}
          <span className="muted">, {chart.unit}</span>
        </h1>
        <RangePicker
          range={range}
          window={content.window}
          hrefFor={each => paths.dashboard({ ...view, range: each })}
        />
      </header>
      <p>
        <a href={paths.dashboard(viewOf(content))}>
          {service === null ? 'All charts' : `All charts for ${plainText(service)}`}
        </a>
      </p>
      <RawHtml fragment={chart.chart} className="dashboard-map" />
      <RawHtml fragment={table} className="chart-table" />
    </Charts>
  )
}
