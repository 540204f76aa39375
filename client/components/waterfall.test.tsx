import t from 'tap'
import type { Waterfall as Content, WaterfallLine } from '../../shared/waterfall.ts'
import { render, testNowMs, textOf } from './testing.tsx'
import { Waterfall } from './waterfall.tsx'

type EventLine = Extract<WaterfallLine, { kind: 'event' }>

const line = (overrides: Partial<EventLine> = {}): EventLine => ({
  kind: 'event',
  depth: 0,
  nested: 0,
  left: 0,
  width: 0,
  offsetMs: 0,
  isFailed: false,
  request: null,
  text: 'cart loaded',
  id: 7,
  service: 'shop',
  severity: 'info',
  durationMs: null,
  ...overrides,
})

const waterfall: Content = {
  by: 'trace',
  id: '4bf92f3577b34da6a3ce929d0e0e4736',
  isSearch: true,
  shown: 'all',
  total: 3,
  fromMs: testNowMs,
  lengthMs: 1240,
  services: ['shop', 'pay'],
  skews: [],
  nestedBy: 'span',
  logHref: '/activities?q=trace',
  lines: [
    line({
      id: 6,
      request: 'POST /checkout 500',
      text: '',
      isFailed: true,
      durationMs: 1240,
      width: 100,
      nested: 2,
    }),
    line({ depth: 1 }),
    { kind: 'gap', gapMs: 410, left: 10, width: 33, depth: 1, nested: 0 },
    line({
      depth: 1,
      id: 8,
      service: 'pay',
      text: '\u001b[31mdeclined',
      severity: 'warn',
      offsetMs: 900,
      left: 72.58,
    }),
  ],
}
const renderWaterfall = (overrides: Partial<Content> = {}, openId?: number) =>
  render(
    <Waterfall waterfall={{ ...waterfall, ...overrides }} hrefFor={({ id }) => `#e${id}`} openId={openId} />,
  )

t.test('lists events in order, with durations and failures in words', async t => {
  const text = textOf(renderWaterfall())
  t.match(text, 'Full trace : 3 events from 2 services in 1.24 s')
  t.match(text, '0 ms shop failed POST /checkout 500 1.24 s 1.24 s 0 ms Level 2 shop cart loaded')
  t.match(text, 'No events for 410 ms')
  t.match(text, '900 ms Level 2 pay warn declined')
})

t.test('each row links to its event, and the open one has aria-current', async t => {
  t.match(renderWaterfall(), '<a href="#e8" dir="auto">')
  t.match(renderWaterfall({}, 8), '<a href="#e8" dir="auto" aria-current="true">')
})

t.test('shows events with a duration as bars and others as points, without inline styles', async t => {
  const html = renderWaterfall()
  t.match(html, '<rect x="0%" y="8" width="100%"')
  t.match(html, '<circle cx="72.58%"')
  t.notMatch(html, 'style=')
})

t.test('is collapsed if there is only one event', async t => {
  t.match(renderWaterfall(), /<details open/)
  const alone = renderWaterfall({ total: 1, lines: [line()] })
  t.notMatch(alone, /<details open/)
  t.match(textOf(alone), 'No other events in this trace')
})

t.test('if events are omitted, says which events are shown, and links to all events', async t => {
  const notable = renderWaterfall({ shown: 'notable', total: 500, isSearch: false })
  t.match(textOf(notable), 'Showing the requests, warnings and failures of 500 events.')
  t.match(notable, 'href="/activities?q=trace"')
  const newest = textOf(renderWaterfall({ shown: 'newest', total: 5000 }))
  t.match(newest, 'The log below shows all events.')
  t.match(newest, /Full trace : 5,000 events (?!from)/, 'the services and the length are unknown')
})

t.test('an event with nested events can be folded', async t => {
  t.match(renderWaterfall(), /aria-expanded="true" aria-label="2 nested events"/)
  t.equal(renderWaterfall().match(/aria-expanded/g)?.length, 1)
})

t.test('says if events are nested by time', async t => {
  t.notMatch(textOf(renderWaterfall()), 'nested by time')
  t.match(
    textOf(renderWaterfall({ nestedBy: 'time' })),
    'Events whose parent span is unknown are nested by time.',
  )
})

t.test('reports services whose clocks disagree', async t => {
  const skew = { service: 'pay', other: 'shop', minSkewMs: 180 }
  t.match(
    textOf(renderWaterfall({ skews: [{ kind: 'behind', ...skew }] })),
    'The clock of pay is at least 180 ms behind the clock of shop',
  )
  t.match(
    textOf(renderWaterfall({ skews: [{ kind: 'ahead', ...skew }] })),
    'or shop did not wait for the response',
  )
})
