import { parseColumns } from '../../../shared/columns.ts'
import type { Contents } from '../../../shared/page.ts'
import { EventDetails } from '../../components/event-details.tsx'
import { EventTable } from '../../components/event-table.tsx'
import { Waterfall } from '../../components/waterfall.tsx'
import { Example } from './example.tsx'
import { trace } from './fixtures.ts'

const customColumns = parseColumns('severity,message:240,@user.plan:80,release:80,request')

/** Components that show events. */
export function Events({ content: { events, open } }: { content: Contents['ui'] }) {
  return (
    <>
      <Example
        title="Events"
        id="events"
        note="Every severity and shape of an event; one of them is open. Where it is narrow, a row takes two lines."
        keys={[
          ['Tab', 'goes from message to message'],
          ['j, k', 'go to the next and the previous one, on the screen of the log'],
          ['Enter', 'opens the event'],
        ]}
        code={
          '<EventTable\n  events={events}\n  hrefFor={event => hrefOfEvent(content, event)}\n  openId={open?.id}\n  caption="Events, newest first"\n/>'
        }
      >
        <EventTable
          events={events}
          hrefFor={() => '#event'}
          openId={open.id}
          caption="Events of every severity and shape"
        />
      </Example>
      <Example
        title="Columns of events"
        id="columns"
        note="The columns that somebody chose, with their widths, attributes among them; what was searched for is marked; a note stands where events are missing."
        keys={[['Tab', 'goes from message to message']]}
        code={
          '<EventTable\n  columns={parseColumns("severity,message:320,@user.plan:120")}\n  marks={["undefined"]}\n  below={event => <MissingEvents … />}\n  …\n/>'
        }
      >
        <EventTable
          events={events.slice(3, 8).map((event, index) => ({
            ...event,
            id: 100 + index,
            attributeTexts: index % 2 === 0 ? { 'user.plan': 'pro' } : {},
          }))}
          columns={customColumns}
          marks={['undefined', 'request']}
          hrefFor={() => '#event'}
          caption="Events in columns that were chosen"
          below={({ id }) => (id === 102 ? '14 events are missing here' : null)}
        />
      </Example>
      <Example
        title="One event"
        id="event"
        note="All that is known of an event. Every field can be searched for, left out or copied."
        keys={[
          ['Tab', 'goes to the three tools of each field, one after the other'],
          ['Enter, Space', 'unfold what is folded'],
        ]}
        code={
          '<EventDetails\n  event={open}\n  q={q}\n  hrefFor={q => hrefOfSearch(content, q)}\n  failureHref={failureHref}\n  closeHref={closeHref}\n/>'
        }
      >
        <EventDetails
          event={open}
          q="service:shop"
          hrefFor={() => '#event'}
          failureHref="#failures"
          closeHref="#events"
        />
      </Example>
      <Example
        title="Waterfall"
        id="waterfall"
        note="All of one trace or request over services: bars for what took time, points for what was only said, and where nothing was. A clock that is off is named."
        keys={[
          ['Tab', 'goes to the heading, then from event to event'],
          ['Enter, Space', 'fold and unfold it'],
          ['Enter', 'opens the event'],
        ]}
        code={'<Waterfall waterfall={content.waterfall} openId={open?.id} hrefFor={hrefOfEvent} />'}
      >
        <Waterfall waterfall={trace} openId={3} hrefFor={() => '#waterfall'} />
      </Example>
    </>
  )
}
