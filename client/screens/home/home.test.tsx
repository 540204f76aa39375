import t from 'tap'
import type { HomeContent, ServiceRow } from '../../../shared/screens/home.ts'
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
    sentence: 'shop: co is failing: 14 failures in the last 15 minutes, up from 1',
    search: 'failure:open',
  },
  services: [shop],
  areAllRequested: false,
  omitted: [],
  failures: [],
  otherFailures: { resolved: 0, muted: 0 },
  newOccurrencesHref: '/live?after=1',
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
  t.match(html, 'href="/activities?q=service%3A%22shop+%26+co%22&amp;range=6h"')
  t.match(html, 'href="/dashboard?service=shop+%26+co&amp;range=6h"')
  t.match(textOf(html), /14 90 4 % 230 ms/)
})

t.test('shows how to connect until a service is connected', async t => {
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
