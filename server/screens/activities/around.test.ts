import t from 'tap'
import type { EventRow, LogEvent } from '../../../shared/event.ts'
import { splitUrl } from '../../../shared/split-url.ts'
import { cursorOf } from '../../store/common/cursor.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import type { EventQuery } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { activities } from './activities.ts'

const yearMs = 365 * 86_400_000
const old: LogEvent = { ...anEvent({ timeMs: testNowMs - yearMs + 0.25 }), id: 1000 }

async function contentOf(query: string, store: Partial<Store> = {}) {
  const result = await activities.get(
    fakeRequest(query),
    fakeContext({ store: { event: async id => (id === old.id ? old : null), ...store } }),
  )
  if (result.kind !== 'content') throw new Error('Expected content')
  return result.content
}

t.test('a link with only an event id shows the log around the event', async t => {
  const { window, open, range } = await contentOf('event=1000')
  t.match(open, { id: 1000 })
  t.same(range, window, 'links on the page use the same range')
  t.equal(window.toMs - window.fromMs, 600_000)
  t.ok(window.fromMs < old.timeMs && old.timeMs < window.toMs)
})

t.test('reports a missing event and uses the default range', async t => {
  const content = await contentOf('event=7')
  t.equal(content.openMissing, true)
  t.same(content.range, { span: '1h' })
})

t.test('a range in the link is preserved', async t => {
  t.same((await contentOf('event=1000&range=15m')).range, { span: '15m' })
})

const row = (id: number): EventRow => ({ ...old, id, exceptionType: null, exceptionMessage: null })

t.test('shows the page around the event if the requested page does not contain it', async t => {
  const queries: EventQuery[] = []
  const events: Store['events'] = async query => {
    queries.push(query)
    if (query.after !== undefined) return { events: [row(1002), row(1001)], older: null, newer: 'n' }
    if (query.before === undefined) return { events: [row(5000)], older: 'o', newer: null }
    return { events: [row(1002), row(1001), row(1000), row(999)], older: 'o', newer: 'n' }
  }
  const content = await contentOf('event=1000', { events })
  t.same(
    content.events.map(({ id }) => id),
    [1002, 1001, 1000, 999],
  )
  const after = cursorOf(old)
  const before = cursorOf({ ...old, id: 1003 })
  t.match(queries, [{ limit: 100 }, { after, limit: 50 }, { before, limit: 100 }])
  t.equal(
    splitUrl(content.logHref).params.get('before'),
    before,
    'links that close the event or open another one stay on this page',
  )
  t.match(content, { olderHref: /before=o/, newerHref: /after=n/, liveHref: null })
})

t.test(
  'shows the requested page if it contains the event, the range is relative or excludes the event, or there is a cursor',
  async t => {
    for (const [query, ids] of [
      ['event=1000', [1001, 1000]],
      ['event=1000&range=30d', [5000]],
      ['event=1000&before=b', [5000]],
      ['event=1000&from=2026-11-01T00:00Z&to=2026-11-02T00:00Z', [5000]],
    ] as const) {
      let count = 0
      const events: Store['events'] = async () => {
        count += 1
        return { events: ids.map(row), older: 'o', newer: null }
      }
      t.same((await contentOf(query, { events })).events.length, ids.length)
      t.equal(count, 1, query)
    }
  },
)
