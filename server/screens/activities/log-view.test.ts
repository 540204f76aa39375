import t from 'tap'
import { defaultPreferences } from '../../../shared/preferences.ts'
import { fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { reachesPresent, savedViewOf, viewOf, widerRange } from './log-view.ts'

const hourMs = 3_600_000

t.test('parses the URL and ignores invalid parameters', async t => {
  t.match(viewOf(fakeRequest('')), { q: '', range: { span: '1h' }, cursor: {}, event: null })
  t.match(viewOf(fakeRequest('q=+a+b+&range=6h&before=x&after=y&event=12')), {
    q: 'a b',
    range: { span: '6h' },
    cursor: { before: 'x' },
    event: 12,
  })
  t.same(viewOf(fakeRequest('after=y')).cursor, { after: 'y' })
  for (const event of ['', '-1', '1.5', 'abc', '99999999999999999']) {
    t.equal(viewOf(fakeRequest(`event=${event}`)).event, null, event)
  }
})

t.test('reachesPresent is true if a view extends to the present', async t => {
  const reaches = (query: string) => reachesPresent(viewOf(fakeRequest(query)), testNowMs)
  t.equal(reaches('range=15m'), true)
  t.equal(reaches('before=1'), false)
  t.equal(reaches('after=1'), true)
  t.equal(reaches(`from=${testNowMs - hourMs}&to=${testNowMs + hourMs}`), true)
  t.equal(reaches(`from=${testNowMs - hourMs}&to=${testNowMs - 1}`), false)
})

t.test('widens the range', async t => {
  t.same(widerRange({ span: '15m' }, testNowMs), { span: '1h' })
  t.equal(widerRange({ span: '30d' }, testNowMs), null)
  const past = { fromMs: testNowMs - 10 * hourMs, toMs: testNowMs - 8 * hourMs }
  t.same(widerRange(past, testNowMs), { fromMs: testNowMs - 11 * hourMs, toMs: testNowMs - 7 * hourMs })
  const recent = { fromMs: testNowMs - 2 * hourMs, toMs: testNowMs }
  t.same(
    widerRange(recent, testNowMs),
    { fromMs: testNowMs - 4 * hourMs, toMs: testNowMs },
    'a range is not extended into the future',
  )
  t.equal(widerRange({ fromMs: 0, toMs: testNowMs }, testNowMs), null)
})

t.test('a saved view contains the search and the range, but not the page or the open event', async t => {
  const of = (text: string) => savedViewOf(fakeRequest(text))
  t.equal(of('event=3&range=6h&before=x&q=+a+b'), 'q=a+b&range=6h')
  t.equal(of('q=a&time=yesterday'), 'q=a&time=yesterday')
  t.equal(of('q=&evil=1'), '')
  t.equal(of(of('q=a%26b&from=1&to=2')), of('to=2&q=a%26b&from=1'))
})

t.test('a saved view selects the same range for visitors in other time zones', async t => {
  const preferences = { ...defaultPreferences, timeZone: 'Europe/Vienna' }
  const view = savedViewOf(fakeRequest('from=2026-11-20T14:00&to=2026-11-20T15:00', { preferences }))
  const { fromMs, toMs } = viewOf(fakeRequest(view)).window
  t.same([fromMs, toMs], [Date.parse('2026-11-20T13:00Z'), Date.parse('2026-11-20T14:00Z')])
})
