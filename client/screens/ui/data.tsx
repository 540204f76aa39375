import type { Contents } from '../../../shared/page.ts'
import { resolveRange } from '../../../shared/range.ts'
import { Drawn } from '../../components/drawn.tsx'
import { Figure } from '../../components/figure.tsx'
import { Scroll } from '../../components/scroll.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { usePage } from '../../page.ts'
import { ServiceTable } from '../home/service-table.tsx'
import { services } from './examples.ts'
import { Part } from './sample.tsx'

/** What shows figures. */
export function Data({ content }: { content: Contents['ui'] }) {
  const { nowMs } = usePage()
  return (
    <>
      <Figures sparkline={content.failure.sparkline} />
      <Part
        title="Charts"
        id="charts"
        note="Drawn on the server. A bucket tells its numbers under the pointer and zooms where it is a link; the table has the same numbers and links."
        keys={[
          ['Tab', 'goes to “Table”'],
          ['Enter, Space', 'open the table'],
        ]}
        code={'<Drawn markup={content.histogram} />'}
      >
        <div className="ui-charts">
          {content.charts.map(({ title, chart }) => (
            <div key={title}>
              <h3>{title}</h3>
              <Drawn markup={chart} />
            </div>
          ))}
        </div>
      </Part>
      <Part
        title="Services"
        id="services"
        note="The worst first. A service without requests has no rate, one without events no shape."
        keys={[
          ['Tab', 'goes to the name, then to the figures, of service after service'],
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
      </Part>
      <Part
        title="Wide tables"
        id="wide-tables"
        note="A table that is wider than its place scrolls in a frame of its own; the page never does."
        keys={[
          ['Tab', 'goes to the frame'],
          ['← →', 'scroll it'],
        ]}
        code={'<Scroll label="Chunks and their sizes">\n  <table>…</table>\n</Scroll>'}
      >
        <Scroll label="A wide table">
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
        </Scroll>
      </Part>
    </>
  )
}

function Figures({ sparkline }: { sparkline: number[] }) {
  return (
    <Part
      title="Figures"
      id="figures"
      note="One number, what it was before, and how it has changed in words. A sparkline is read out by its label."
      keys={[]}
      code={
        '<Figure label="p95" value="148 ms" before="97 ms" change="1.5 times as long" />\n' +
        '<Sparkline values={failure.sparkline} label="Failures over the last day" tone="bad" />'
      }
    >
      <div className="ui-row ui-figures">
        <Figure label="Requests" value="120/s" before="98/s" change="22 % more" />
        <Figure label="Error ratio" value="0.4 %" before="0.3 %" change={null} />
        <Figure label="p95" value="148 ms" title="95 of 100 requests were at least as fast" />
        <Figure label="p99" value="–" before="–" />
      </div>
      <p className="ui-row">
        <Sparkline values={sparkline} label="Failures over the last day" tone="bad" />
        <Sparkline values={sparkline.map((_, index) => index % 7)} label="Events over the last day" />
        <Sparkline values={[]} label="No values" />
      </p>
    </Part>
  )
}
