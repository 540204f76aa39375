import fc from 'fast-check'
import t from 'tap'
import { paths } from './paths.ts'

t.test('builds URLs with query parameters and anchors', async t => {
  t.same(
    {
      home: paths.home(),
      activities: paths.activities(),
      search: paths.activities({ q: 'severity:error "a b"', range: { span: '24h' }, event: 7 }),
      window: paths.activities({ range: { fromMs: 0, toMs: 60_000 }, before: 'c' }),
      dashboard: paths.dashboard({ service: 'shop & co', sort: 'failing' }),
      development: paths.development({ failure: '0123456789', sort: 'frequent' }),
      drill: paths.development({ drill: 'late' }),
      settings: paths.settings({ done: 'preferences', section: 'preferences' }),
      ui: paths.ui({ group: 'events' }),
      ingest: paths.ingest(),
      live: paths.live({ q: 'a', after: '3' }),
      report: paths.report(),
      asset: paths.asset('entry-AB.js'),
      livez: paths.livez(),
      readyz: paths.readyz(),
    },
    {
      home: '/',
      activities: '/activities',
      search: '/activities?q=severity:error+%22a+b%22&range=24h&event=7',
      window: '/activities?from=1970-01-01T00:00Z&to=1970-01-01T00:01Z&before=c',
      dashboard: '/dashboard?service=shop+%26+co&sort=failing',
      development: '/development?failure=0123456789&sort=frequent',
      drill: '/development?drill=late',
      settings: '/settings?done=preferences#preferences',
      ui: '/ui?group=events',
      ingest: '/ingest',
      live: '/live?q=a&after=3',
      report: '/report',
      asset: '/assets/entry-AB.js',
      livez: '/livez',
      readyz: '/readyz',
    },
  )
})

t.test('a search survives a round trip through the URL', async () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(text, q => (new URL(paths.activities({ q }), 'http://a').searchParams.get('q') ?? '') === q),
  )
})

t.test('activitiesForWindow builds the same URLs as activities', async t => {
  const range = { fromMs: 0, toMs: 60_000 }
  for (const q of ['', 'severity:error "a b"']) {
    t.equal(paths.activitiesForWindow(q)(range), paths.activities({ q, range }))
  }
})
