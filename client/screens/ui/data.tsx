import type { Contents } from '../../../shared/content.ts'
import { Drawn } from '../../components/drawn.tsx'
import { EventDetails } from '../../components/event-details.tsx'
import { EventTable } from '../../components/event-table.tsx'
import { FailureList } from '../../components/failure-list.tsx'
import { Figure } from '../../components/figure.tsx'
import { Section } from '../../components/section.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { StackTrace } from '../../components/stack-trace.tsx'
import { Note } from './sample.tsx'

/** What shows events and figures. */
export function Data({ content }: { content: Contents['ui'] }) {
  const { failure, events, open } = content
  return (
    <>
      <Section title="Figures" id="figures">
        <Note>One number and what it was before. A sparkline is read out by its label.</Note>
        <div className="ui-row ui-figures">
          <Figure label="Requests" value="120/s" before="98/s" />
          <Figure label="Error ratio" value="0.4 %" before="0.3 %" />
          <Figure label="p95" value="148 ms" title="95 of 100 requests were at least as fast" />
          <Figure label="p99" value="–" before="–" />
        </div>
        <p className="ui-row">
          <Sparkline values={failure.sparkline} label="Failures over the last day" tone="bad" />
          <Sparkline
            values={failure.sparkline.map((_, index) => index % 7)}
            label="Events over the last day"
          />
          <Sparkline values={[]} label="No values" />
        </p>
      </Section>
      <Section title="Charts" id="charts">
        <Note>
          Drawn on the server. A bucket tells its numbers under the pointer and zooms where it is a link; the
          keyboard finds the same numbers and links in the table: Tab to “Table”, Enter opens it.
        </Note>
        <div className="ui-charts">
          {content.charts.map(({ title, chart }) => (
            <div key={title}>
              <h3>{title}</h3>
              <Drawn markup={chart} />
            </div>
          ))}
        </div>
      </Section>
      <Section title="Events" id="events" count={events.length}>
        <Note>Tab goes from message to message, Enter opens the event.</Note>
        <EventTable
          events={events}
          hrefFor={() => '#event'}
          openId={open.id}
          caption="Events of every severity and shape"
        />
      </Section>
      <Section title="One event" id="event">
        <Note>
          Every field can be searched for, left out or copied: Tab reaches the three tools of each row.
        </Note>
        <EventDetails
          event={open}
          q="service:shop"
          hrefFor={() => '#event'}
          failureHref="#failures"
          closeHref="#events"
        />
      </Section>
      <Section title="Failures" id="failures" count={3}>
        <Note>Tab goes from failure to failure, Enter opens it.</Note>
        <FailureList
          failures={[
            failure,
            {
              ...failure,
              fingerprint: '1',
              state: 'resolved',
              returned: null,
              type: 'Error',
              message: '',
              digests: [],
              sparkline: [],
              count: 1,
            },
            {
              ...failure,
              fingerprint: '2',
              state: 'muted',
              returned: null,
              type: 'خطأ',
              message: 'فشل الدفع 💳',
              digests: ['0c11e3f0aa'],
            },
          ]}
          hrefFor={() => '#failures'}
          selected={failure.fingerprint}
          caption="Failures"
        />
      </Section>
      <Section title="Stack" id="stack">
        <Note>Own frames are open, those of libraries folded: Enter or Space unfolds.</Note>
        <StackTrace frames={failure.frames} stack={failure.stack} />
      </Section>
    </>
  )
}
