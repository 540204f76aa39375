import { parseColumns } from '../../../shared/columns.ts'
import { paths } from '../../../shared/paths.ts'
import type { UiEvents } from '../../../shared/screens/ui.ts'
import { EventDetails } from '../../components/event-details.tsx'
import { EventTable } from '../../components/event-table.tsx'
import { Waterfall } from '../../components/waterfall.tsx'
import { Example } from './example.tsx'
import { trace } from './fixtures.ts'

const customColumns = parseColumns('severity,message:240,@user.plan:80,release:80,request')

/** Components that show events. */
export function Events({ events, open }: UiEvents) {
  return (
    <>
      <Example
        title="Events"
        id="events"
        note="Events with every severity and combination of fields; one is open. A bar shows the severity. For warn and above, a word shows it too. Columns without a value are hidden. On narrow screens, a row takes two lines."
        keys={[
          ['Tab', 'moves from message to message'],
          ['j, k', 'move to the next or previous event on Activities'],
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
        title="Event columns"
        id="columns"
        note="Custom columns and widths, including an attribute; search terms are highlighted; a note marks missing events."
        keys={[['Tab', 'moves from message to message']]}
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
          caption="Events in custom columns"
          below={({ id }) => (id === 102 ? '14 events not loaded' : null)}
        />
      </Example>
      <Example
        title="One event"
        id="event"
        note="All fields of an event. Each can be included in the search, excluded or copied."
        keys={[
          ['Tab', 'moves through the three actions of each field'],
          ['Enter, Space', 'expand the collapsed parts'],
        ]}
        code={
          '<EventDetails\n  event={open}\n  q={q}\n  hrefFor={q => hrefOfSearch(content, q)}\n  links={links}\n/>'
        }
      >
        <EventDetails
          event={open}
          q="service:shop"
          hrefFor={() => '#event'}
          links={{ failure: paths.ui({ group: 'failures' }), request: '#event', trace: '#event' }}
        />
      </Example>
      <Example
        title="Waterfall"
        id="waterfall"
        note="One trace or request across services: bars for durations, points for other events, and gaps without logs. Incorrect clocks are reported."
        keys={[
          ['Tab', 'moves to the heading, then from event to event'],
          ['Enter, Space', 'expand or collapse it'],
          ['Enter', 'opens the event'],
        ]}
        code={'<Waterfall waterfall={content.waterfall} openId={open?.id} hrefFor={hrefOfEvent} />'}
      >
        <Waterfall waterfall={trace} openId={3} hrefFor={() => '#waterfall'} />
      </Example>
    </>
  )
}
