import t from 'tap'
import type { ListedFailure } from '../../../shared/failure.ts'
import type { HomeContent, ServiceRow } from '../../../shared/screens/home.ts'
import { aFailure } from '../../../shared/testing/a-failure.ts'
import { render, testNowMs, textOf } from '../../components/testing.tsx'
import Home from './index.tsx'

const shop: ServiceRow = {
  service: 'shop & co',
  state: 'failing',
  requestRate: 1.5,
  errorRatio: 0.04,
  p95Ms: 230,
  failures: 14,
  sparkline: [1, 0, 3],
  lastSeenMs: testNowMs - 5000,
  release: '1.4.0',
}

const content: HomeContent = {
  span: '15m',
  window: { fromMs: testNowMs - 15 * 60_000, toMs: testNowMs },
  verdict: {
    state: 'failing',
    sentence: 'shop: co is failing: 3 failures occurred 14 times in the last 15 minutes, up from 1',
    search: 'failure:open',
  },
  services: [shop],
  page: null,
  omitted: [],
  failures: [],
  otherFailures: { resolved: 0, muted: 0 },
  ownEvents: 'hidden',
  onlyOwn: false,
  connect: [],
}

t.test('the heading is the verdict', async t => {
  const html = render(<Home content={content} />)
  const heading = html.slice(html.indexOf('<h1'), html.indexOf('</h1>'))
  t.match(textOf(heading), content.verdict.sentence)
})

t.test('a service links to its events and its dashboard, with the current range', async t => {
  const html = render(<Home content={{ ...content, span: '6h' }} />)
  t.match(html, 'href="/activities?q=service:%22shop+%26+co%22&amp;range=6h"')
  t.match(html, 'href="/dashboard?service=shop+%26+co&amp;range=6h"')
  t.match(textOf(html), /14 90.0 4.00% 230 ms/)
})

t.test('a page of services shows which services it lists, and links to the other pages', async t => {
  const page = { number: 2, count: 40, first: 251, total: 10_000 }
  const services = Array.from({ length: 250 }, (_, index) => ({ ...shop, service: `service-${index}` }))
  const html = render(<Home content={{ ...content, services, page }} />)
  t.match(textOf(html), 'Services 251 to 500 of 10,000.')
  t.match(html, 'href="/?range=15m&amp;services=all&amp;page=1#services"')
  t.match(html, 'href="/?range=15m&amp;services=all&amp;page=3#services"')
  t.match(html, 'href="/activities?range=15m&amp;facet=service"')

  const last = render(
    <Home content={{ ...content, page: { number: 2, count: 2, first: 251, total: 251 } }} />,
  )
  t.match(textOf(last), 'Services 251 to 251 of 251.')
  t.notMatch(last, 'Next services')
  const only = textOf(
    render(<Home content={{ ...content, page: { number: 1, count: 1, first: 1, total: 1 } }} />),
  )
  t.match(only, 'Show fewer')
  t.notMatch(only, /Next services|Previous services|Services 1 to/)
})

t.test('marks new failures', async t => {
  const timeMs = testNowMs - 1000
  const failure = aFailure({ firstSeenMs: timeMs, lastSeenMs: timeMs, sparkline: [1] })
  const textWith = (listed: ListedFailure) =>
    textOf(render(<Home content={{ ...content, failures: [listed] }} />))
  t.match(textWith({ ...failure, isNew: true }), /\bNew\b/)
  t.notMatch(textWith(failure), /\bNew\b/)
})

t.test('shows how to connect a service until one is connected', async t => {
  t.notMatch(textOf(render(<Home content={content} />)), 'Connect your first service')
  const connect = [
    {
      id: 'curl',
      title: 'By curl',
      language: 'sh',
      code: 'curl here',
      note: 'It is counted.',
      source: null,
    },
  ]
  const empty = textOf(render(<Home content={{ ...content, onlyOwn: true, connect }} />))
  t.match(empty, 'Connect your first service')
  t.match(empty, 'curl here')
  t.match(empty, 'It is counted.')
})
