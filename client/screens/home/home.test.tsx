import t from 'tap'
import type { HomeContent, ServiceRow } from '../../../shared/content.ts'
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
  verdict: {
    state: 'failing',
    sentence: 'shop: co is failing: 14 failures in the last 15 minutes, up from 1',
  },
  services: [shop],
  failures: [],
  onlyOwn: false,
  ingestUrl: 'https://logs.example/ingest',
  passwordAsked: false,
}

t.test('the verdict is the heading, whole', async t => {
  const html = render(<Home content={content} />)
  const heading = html.slice(html.indexOf('<h1'), html.indexOf('</h1>'))
  t.match(textOf(heading), content.verdict.sentence)
})

t.test('a service leads to its events and to its figures, in the range that is shown', async t => {
  const html = render(<Home content={{ ...content, span: '6h' }} />)
  t.match(html, 'href="/activities?q=service%3A%22shop+%26+co%22&amp;range=6h"')
  t.match(html, 'href="/dashboard?service=shop+%26+co&amp;range=6h"')
  t.match(textOf(html), /14 1.5\/s 4 % 230 ms/)
})

t.test('how to connect is shown until a service has, with a password where one is asked for', async t => {
  t.notMatch(render(<Home content={content} />), 'curl')
  const open = textOf(render(<Home content={{ ...content, onlyOwn: true }} />))
  t.match(open, "curl https://logs.example/ingest -H 'content-type: application/x-ndjson'")
  t.notMatch(open, 'SIXPANE_PASSWORD')
  const closed = textOf(render(<Home content={{ ...content, onlyOwn: true, passwordAsked: true }} />))
  t.match(closed, 'curl -u "sixpane:$SIXPANE_PASSWORD" https://logs.example/ingest')
  t.match(closed, "authorization: 'Basic ")
})
