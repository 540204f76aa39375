import t from 'tap'
import { parseColumns } from '../../shared/columns.ts'
import type { EventRow } from '../../shared/event.ts'
import { EventTable } from './event-table.tsx'
import { render, testNowMs, textOf } from './testing.tsx'

const bare: EventRow = {
  id: 7,
  timeMs: testNowMs,
  severity: 'info',
  service: 'shop',
  release: null,
  source: 'ndjson',
  body: '',
  requestId: null,
  traceId: null,
  method: null,
  route: null,
  status: null,
  durationMs: null,
  digest: null,
  fingerprint: null,
  exceptionType: null,
  exceptionMessage: null,
}
const table = (event: Partial<EventRow>, openId: number | null = null) =>
  render(
    <EventTable
      events={[{ ...bare, ...event }]}
      hrefFor={({ id }) => `/activities?event=${id}`}
      openId={openId}
      caption="Events"
    />,
  )
const rowText = (event: Partial<EventRow>) => textOf(table(event).replace(/.*<tbody>/s, ''))

t.test('a row without a message still links to its event', async t => {
  t.equal(rowText({}), '14:03:22.123 shop (no message)')
  t.match(table({}), '<a href="/activities?event=7"><span class="muted">(no message)</span></a>')
})

t.test('a row shows the fields that have values', async t => {
  t.equal(
    rowText({ method: 'POST', route: '/pay', status: 503, durationMs: 1240, body: 'no', severity: 'error' }),
    '14:03:22.123 error shop 503 1.24 s POST /pay no',
  )
  t.equal(rowText({ timeMs: testNowMs - 86_400_000 }), '2026-11-20 14:03:22.123 shop (no message)')
})

t.test('shows the severity as a word for warn and above', async t => {
  t.equal(rowText({ severity: 'warn' }), '14:03:22.123 warn shop (no message)')
  t.equal(rowText({ severity: 'debug' }), '14:03:22.123 shop (no message)')
})

t.test('hides columns without a value in any row', async t => {
  t.match(table({ status: 200 }), 'Status')
  t.notMatch(table({ status: 200 }), 'Duration')
  t.match(table({}), 'Message')
})

t.test('an attribute can have the name of an inherited property', async t => {
  for (const attribute of ['__proto__', 'constructor']) {
    const columns = parseColumns(`service,@${attribute},message`)
    const tableOf = (texts: [name: string, text: string][]) =>
      render(
        <EventTable
          events={[{ ...bare, attributeTexts: Object.fromEntries(texts) }]}
          columns={columns}
          hrefFor={() => ''}
          caption="Events"
        />,
      )
    t.notMatch(tableOf([]), attribute)
    t.match(tableOf([[attribute, 'logged']]), 'logged')
  }
})

t.test('neither the number of rendered rows nor the first error moves the columns', async t => {
  const hrefFor = ({ id }: EventRow) => `/activities?event=${id}`
  const events = [bare, { ...bare, id: 6, status: 200 }]
  const html = render(<EventTable events={events} limit={1} canGrow hrefFor={hrefFor} caption="Events" />)
  t.equal(textOf(html), 'Events Time Severity Service Status Message 14:03:22.123 shop (no message)')
})

t.test('tints rows of errors and of 5xx responses', async t => {
  t.match(table({ severity: 'error' }), 'data-failed')
  t.match(table({ status: 503 }), 'data-failed')
  t.notMatch(table({ severity: 'warn', status: 404 }), 'data-failed')
})

t.test('shows the exception type before the message, unless the message starts with it', async t => {
  t.equal(rowText({ exceptionType: 'TypeError', body: 'x is null' }), '14:03:22.123 shop TypeError x is null')
  t.equal(
    rowText({ exceptionType: 'TypeError', body: 'TypeError: x is null' }),
    '14:03:22.123 shop TypeError: x is null',
  )
})

t.test('escapes HTML in events', async t => {
  const html = table({ body: '<img src=x onerror=alert(1)>', service: '"><script>', route: "' onclick='" })
  t.notMatch(html, '<img')
  t.notMatch(html, '<script')
  t.equal(textOf(html).includes('<img src=x onerror=alert(1)>'), true)
})

t.test('marks the open row with aria-current', async t => {
  t.match(table({}, 7), 'aria-current="true"')
  t.notMatch(table({}, 8), 'aria-current')
})
