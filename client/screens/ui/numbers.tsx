import { resolveRange } from '../../../shared/range.ts'
import type { UiNumbers } from '../../../shared/screens/ui.ts'
import { Charts } from '../../components/charts.tsx'
import { RawHtml } from '../../components/raw-html.tsx'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { ServiceTable } from '../../components/service-table.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { Stat } from '../../components/stat.tsx'
import { usePage } from '../../page.ts'
import { Example } from './example.tsx'
import { services } from './fixtures.ts'

/** Components that show numbers. */
export function Numbers({ charts, tables, sparkline }: UiNumbers) {
  const { nowMs } = usePage()
  return (
    <>
      <Stats sparkline={sparkline} />
      <Example
        title="Charts"
        id="charts"
        note="Rendered on the server. Pointing at a chart shows its values and marks the same time in the other charts. Stripes cover an incomplete period. On pages that can zoom, dragging selects a time range. Each chart links to a table of its values."
        keys={[
          ['Tab', 'moves to the names of the series, to the chart, then to its table'],
          ['Space', 'shows only one series, or all again; with Shift, shows or hides it'],
          ['← →', 'move between values; in a heat map also ↑ ↓'],
          ['Shift ← →', 'select a time range, on pages that can zoom'],
          ['Enter', 'opens the events, if the chart has links, or zooms to the selected time range'],
          ['Esc', 'cancels the selection, then hides the values'],
        ]}
        code={
          '<Charts className="charts" hrefOfWindow={hrefOfWindow}>\n  <RawHtml fragment={chart} />\n</Charts>'
        }
      >
        <Charts className="ui-charts" hrefOfWindow={null}>
          {charts.map(({ title, chart }) => (
            <div key={title}>
              <h3>{title}</h3>
              <RawHtml fragment={chart} />
            </div>
          ))}
        </Charts>
      </Example>
      <Example
        title="Chart tables"
        id="chart-tables"
        note="The values of a chart, on a separate page. Times, counts and bands link to their events."
        keys={[
          ['Tab', 'moves to the table, then from link to link'],
          ['Enter', 'follows the link'],
        ]}
        code={'<RawHtml fragment={content.table} className="chart-table" />'}
      >
        <div className="ui-stack">
          {tables.map(table => (
            <RawHtml key={table.name} fragment={table} className="chart-table" />
          ))}
        </div>
      </Example>
      <Example
        title="Services"
        id="services"
        note="The worst services come first. Services without requests have no rate, and services without events have no sparkline."
        keys={[
          ['Tab', 'moves through the name and the numbers of each service'],
          ['Enter', 'follows the link'],
        ]}
        code={
          '<ServiceTable services={services} range={range} window={window} caption="Services, last hour" />'
        }
      >
        <ServiceTable
          services={services(nowMs)}
          range={{ span: '1h' }}
          window={resolveRange({ span: '1h' }, nowMs)}
          caption="Services of every state"
        />
      </Example>
      <Example
        title="Wide tables"
        id="wide-tables"
        note="A wide table scrolls in a frame, so that the page does not scroll horizontally."
        keys={[
          ['Tab', 'moves to the frame'],
          ['← →', 'scroll it'],
        ]}
        code={'<ScrollArea label="Chunks and their sizes">\n  <table>…</table>\n</ScrollArea>'}
      >
        <ScrollArea label="A wide table">
          <table className="ui-wide">
            <caption className="visually-hidden">A wide table</caption>
            <thead>
              <tr>
                {Array.from({ length: 24 }, (_, hour) => `${hour}:00`).map(hour => (
                  <th key={hour} scope="col" className="num">
                    {hour}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                {Array.from({ length: 24 }, (_, hour) => hour).map(hour => (
                  <td key={hour} className="num">
                    {(hour * 7919) % 1000}
                  </td>
                ))}
              </tr>
            </tbody>
          </table>
        </ScrollArea>
      </Example>
    </>
  )
}

function Stats({ sparkline }: { sparkline: number[] }) {
  return (
    <Example
      title="Numbers"
      id="stats"
      note="A number, which can be a link, its previous value, and the change in words. Screen readers read a sparkline’s label."
      keys={[['Enter', 'follows the link']]}
      code={
        '<Stat label="p95" value="148 ms" before="97.0 ms" change={change} link={link} />\n' +
        '<Sparkline values={failure.sparkline} label="Failures over the last day" tone="bad" />'
      }
    >
      <div className="ui-row ui-stats">
        <Stat
          label="Requests"
          value="120/s"
          before="98/s"
          change={{ words: '22% more', direction: 'up', tone: 'neutral' }}
        />
        <Stat
          label="Error rate"
          value="0.4%"
          before="0.3%"
          change={{ words: '0.1 points higher', direction: 'up', tone: 'bad' }}
        />
        <Stat
          label="p95"
          value="148 ms"
          before="202 ms"
          change={{ words: '27% faster', direction: 'down', tone: 'ok' }}
          title="95% of requests were at least this fast"
          link={{ href: '#stats', label: 'Requests taking about 148 ms or longer, in the log' }}
        />
        <Stat label="p99" value="–" before="–" />
      </div>
      <p className="ui-row">
        <Sparkline values={sparkline} label="Failures over the last day" tone="bad" />
        <Sparkline values={sparkline.map((_, index) => index % 7)} label="Events over the last day" />
        <Sparkline values={[]} label="No values" />
      </p>
    </Example>
  )
}
