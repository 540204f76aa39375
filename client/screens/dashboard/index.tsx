import { paths } from '../../../shared/paths.ts'
import { rangeWords } from '../../../shared/range.ts'
import type { DashboardContent, DashboardOverview } from '../../../shared/screens/dashboard.ts'
import { Charts } from '../../components/charts.tsx'
import { plainText } from '../../components/plain-text.ts'
import { RangePicker } from '../../components/range-picker.tsx'
import { RawHtml } from '../../components/raw-html.tsx'
import { RefreshControl } from '../../components/refresh-control.tsx'
import { Section } from '../../components/section.tsx'
import { AllRoutes } from './all-routes.tsx'
import { ChartTable } from './chart-table.tsx'
import { releaseMarkers, viewOf } from './dashboard-view.ts'
import { NoRequests } from './no-requests.tsx'
import { Releases } from './releases.tsx'
import { RequestStats } from './request-stats.tsx'
import { Routes } from './routes.tsx'
import { SelfMetrics } from './self-metrics.tsx'
import { Services } from './services.tsx'
import { Sessions } from './sessions.tsx'
import { Vitals } from './vitals.tsx'

/** Request metrics, compared with the previous period, over time and by route. */
export default function Dashboard({ content }: { content: DashboardContent }) {
  switch (content.view) {
    case 'overview':
      return <Overview content={content} />
    case 'table':
      return <ChartTable content={content} />
    case 'routes':
      return <AllRoutes content={content} />
  }
}

function Overview({ content }: { content: DashboardOverview }) {
  const { range, service, now, charts, heatMap } = content
  const during = rangeWords(range)
  return (
    <Charts
      className="dashboard"
      hrefOfWindow={window => paths.dashboard({ ...viewOf(content), range: window })}
      markers={releaseMarkers(content)}
    >
      <header className="dashboard-head">
        <h1>{service === null ? 'All services' : plainText(service)}</h1>
        <div className="refresh-and-range">
          {'span' in range && <RefreshControl />}
          <RangePicker
            range={range}
            window={content.window}
            hrefFor={each => paths.dashboard({ ...viewOf(content), range: each })}
          />
        </div>
      </header>
      {content.services.length > 0 && <Services content={content} />}
      {now.requests === 0 ? (
        <NoRequests content={content} during={during} />
      ) : (
        <>
          <RequestStats content={content} />
          <div className="dashboard-charts">
            {charts.map(({ id, title, unit, chart }) => (
              <Section key={id} id={id} title={title} count={unit}>
                <RawHtml fragment={chart} />
              </Section>
            ))}
          </div>
          <Releases releases={content.releases} releaseCount={content.releaseCount} window={content.window} />
          <Section id="durations" title="Latency distribution" count="click a cell to see its requests">
            <RawHtml fragment={heatMap.chart} className="dashboard-map" />
          </Section>
          <Routes content={content} during={during} />
        </>
      )}
      {(now.requests > 0 || content.vitals.length > 0) && (
        <Vitals rows={content.vitals} during={during} window={content.window} />
      )}
      <Sessions rows={content.sessions} during={during} window={content.window} />
      {content.self !== null && <SelfMetrics content={content.self} during={during} />}
    </Charts>
  )
}
