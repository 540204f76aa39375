import t from 'tap'
import { paths } from '../../shared/paths.ts'
import { type Range, resolveRange } from '../../shared/range.ts'
import { CodeBlock } from './code-block.tsx'
import { Notice } from './notice.tsx'
import { RangePicker } from './range-picker.tsx'
import { RawHtml } from './raw-html.tsx'
import { SearchBox } from './search-box.tsx'
import { Sparkline } from './sparkline.tsx'
import { StackTrace } from './stack-trace.tsx'
import { render, testNowMs, textOf } from './testing.tsx'
import { Ago, Time } from './time.tsx'

const minuteMs = 60_000

t.test(
  'Time uses the preferred time zone and clock, shows the date unless it is today, and has a tooltip',
  async t => {
    t.equal(render(<Time ms={testNowMs} />), '<time title="2026-11-21 14:03:22.123 UTC">14:03:22</time>')
    t.equal(
      textOf(render(<Time ms={testNowMs - 24 * 60 * minuteMs} precision="minute" />)),
      '2026-11-20 14:03',
    )
    t.equal(textOf(render(<Time ms={testNowMs} />, { timeZone: 'Asia/Tokyo', clock: '12h' })), '11:03:22 pm')
    t.equal(textOf(render(<Ago ms={testNowMs - 3 * minuteMs} />)), '3 min ago')
  },
)

t.test('SearchBox shows an invalid search and marks the error', async t => {
  const html = render(
    <SearchBox
      action="/activities"
      name="q"
      label="Search"
      defaultValue="a <b> c"
      hidden={{ range: '1h' }}
      problem={{ message: 'Not understood', from: 2, to: 5 }}
    />,
  )
  t.match(html, 'value="a &lt;b&gt; c"')
  t.match(html, 'a <mark>&lt;b&gt;</mark> c')
  t.match(html, '<input type="hidden" name="range" value="1h"/>')
  t.match(html, 'aria-invalid="true"')
  t.equal(/aria-describedby="([^"]*)"/.exec(html)?.[1], /class="search-problem" id="([^"]*)"/.exec(html)?.[1])
})

t.test('RangePicker shows the current range and links to the others', async t => {
  const picker = (range: Parameters<typeof RangePicker>[0]['range']) =>
    render(
      <RangePicker
        range={range}
        window={resolveRange(range, testNowMs)}
        hrefFor={range => paths.activities({ q: 'a', range })}
      />,
    )
  t.match(picker({ span: '6h' }), 'aria-current="true">last 6 hours')
  t.match(picker({ span: '6h' }), 'href="/activities?q=a&amp;range=15m"')
  const fields = '<form action="/activities" method="get"><input type="hidden" name="q" value="a"/>'
  t.match(picker({ span: '6h' }), fields)
  t.notMatch(picker({ span: '6h' }), 'name="range"')
  const day = { fromMs: testNowMs - 60 * minuteMs, toMs: testNowMs }
  t.match(textOf(picker(day)), 'Time range: Nov 21, 13:03 – 14:03')
  t.match(picker(day), 'name="from" value="2026-11-21T13:03:22"')
  const short = { fromMs: testNowMs - 30_000, toMs: testNowMs }
  t.match(textOf(picker(short)), 'Time range: Nov 21, 14:02:52 – 14:03:22')
  t.match(picker(day), /aria-label="Earlier"/)
  t.notMatch(picker({ span: '6h' }), /aria-label="Later"/)
  // The window of the last hour began at a whole minute, more than an hour ago.
  const lastHour = { fromMs: Date.UTC(2026, 10, 21, 13, 3), toMs: testNowMs }
  const hrefFor = (range?: Range) => paths.activities({ range })
  t.match(
    render(<RangePicker range={{ span: '1h' }} window={lastHour} hrefFor={hrefFor} />),
    'href="/activities?from=2026-11-21T12:03Z&amp;to=2026-11-21T13:03Z" aria-label="Earlier"',
  )
})

t.test('Sparkline shows every value and has a label', async t => {
  const html = render(<Sparkline values={[0, 1, 1000]} label="Three buckets" />)
  t.match(html, 'role="img" aria-label="Three buckets"')
  t.match(html, 'M1 40V36', 'the smallest bar is visible')
  for (const values of [[], [0, 0], [-1]]) t.notMatch(render(<Sparkline values={values} label="" />), 'NaN')
})

t.test('only a Notice with the tone bad is an alert', async t => {
  t.match(render(<Notice tone="bad" title="No" />), 'role="alert"')
  t.match(render(<Notice tone="warn" title="No" />), 'role="status"')
})

const frame = {
  functionName: 'pay',
  file: 'pay.ts',
  line: 2,
  column: 3,
  inApp: true,
  code: null,
  cause: null,
  unmapped: null,
}

t.test('StackTrace shows application frames with code and collapses library frames', async t => {
  const html = render(
    <StackTrace
      frames={[
        { ...frame, code: { firstLine: 1, lines: ['if (a < b) {', '  throw a', '}'] } },
        { ...frame, functionName: null, inApp: false },
        { ...frame, inApp: false, line: null, column: null },
      ]}
      stack={null}
    />,
  )
  t.match(html, /^.*?pay\.ts:2:3.*?<details class="stack-folded"><summary>2 library frames<\/summary>/s)
  t.equal(html.split('data-hit').length, 2)
  t.match(textOf(html), '1 if (a < b) { 2 This line: throw a 3 }')
  t.match(textOf(html), '(anonymous)')
})

t.test('StackTrace collapses the outer frames of a deep recursion', async t => {
  const html = render(<StackTrace frames={Array.from({ length: 100 }, () => frame)} stack={null} />)
  t.match(html, '<summary>76 outer frames</summary>')
})

t.test('StackTrace shows the raw stack if there are no frames', async t => {
  t.match(
    render(<StackTrace frames={[]} stack={'Error: \u001b[31mno\u001b[0m\n  at <anonymous>'} />),
    '<details class="stack-raw" open="">',
  )
  t.match(render(<StackTrace frames={[]} stack={'\u001b[31mno\u001b[0m <b>'} />), '>no &lt;b&gt;<')
})

t.test('copy buttons are hidden without JavaScript', async t => {
  t.match(
    render(<CodeBlock code="a && b" language="shell" label="Try" />),
    /class="copy needs-script"[^>]*aria-label="Copy: Try"/,
  )
})

t.test('RawHtml inserts the fragment unchanged and sets data-fragment', async t => {
  t.equal(
    render(<RawHtml fragment={{ name: 'rate', html: '<svg></svg>' }} className="wide" />),
    '<div class="wide" data-fragment="rate"><svg></svg></div>',
  )
})
