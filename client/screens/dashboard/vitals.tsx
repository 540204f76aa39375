import { formatCount, pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import type { Window } from '../../../shared/range.ts'
import { vitalHref } from '../../../shared/request-search.ts'
import type { DashboardOverview } from '../../../shared/screens/dashboard.ts'
import { formatVital, type VitalName, type VitalRating, vitalNames, vitals } from '../../../shared/vitals.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Isolated } from '../../components/isolated.tsx'
import { EmptyState } from '../../components/notice.tsx'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Section } from '../../components/section.tsx'
import { Sparkline } from '../../components/sparkline.tsx'

type Row = DashboardOverview['vitals'][number]
type Metric = Row['metrics'][number]

const tones: Readonly<Record<VitalRating, Tone>> = { good: 'ok', 'needs improvement': 'warn', poor: 'bad' }

/** The 75th percentile of each Web Vital, by route. */
export function Vitals({ rows, during, window }: { rows: Row[]; during: string; window: Window }) {
  return (
    <Section title="Web Vitals" id="vitals" count={rows.length > 0 ? 'p75 of page loads' : undefined}>
      {rows.length === 0 ? (
        <EmptyState title={`No Web Vitals reported in the ${during}`}>
          <p>
            Pages that load <code>sixpane/browser</code> report Largest Contentful Paint, Interaction to Next
            Paint, Cumulative Layout Shift and Time to First Byte when the visitor leaves.{' '}
            <a href={paths.development({ view: 'connect' })}>Connect a web application</a>.
          </p>
        </EmptyState>
      ) : (
        <ScrollArea label={`Web Vitals, ${during}`}>
          <table className="dashboard-vitals">
            <caption className="visually-hidden">Web Vitals by route, {during}</caption>
            <thead>
              <tr>
                <th scope="col">Route</th>
                <th scope="col">Service</th>
                {vitalNames.map(name => (
                  <th key={name} scope="col" title={`${vitals[name].words}. ${thresholdWords(name)}`}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={`${row.service}\n${row.route ?? ''}`}>
                  <th scope="row">
                    <Isolated text={row.route ?? '(no route)'} />
                  </th>
                  <td>
                    <Isolated text={row.service} />
                  </td>
                  {vitalNames.map(name => (
                    <td key={name}>
                      <Cell metric={row.metrics.find(each => each.name === name)} row={row} window={window} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </Section>
  )
}

function thresholdWords(name: VitalName): string {
  const { good, poor } = vitals[name]
  return `Good up to ${formatVital(name, good)}, poor above ${formatVital(name, poor)}`
}

function Cell({ metric, row, window }: { metric: Metric | undefined; row: Row; window: Window }) {
  if (metric === undefined) return <span className="muted">–</span>
  const { name, p75, rating, count, sparkline } = metric
  const where = row.route === null ? 'without a route' : `for ${row.route}`
  return (
    <div className="dashboard-vital">
      <span>{formatVital(name, p75)}</span>
      <Badge tone={tones[rating]}>{rating}</Badge>
      <Sparkline values={sparkline} label={`${name} ${where}, over time`} tone={tones[rating]} />
      <a
        href={vitalHref(row, name, window)}
        aria-label={`${pluralise(count, `${name} event`)} ${where}, in the log`}
      >
        {formatCount(count)}
      </a>
    </div>
  )
}
