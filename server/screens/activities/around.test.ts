import t from 'tap'
import type { EventRow, LogEvent } from '../../../shared/event.ts'
import { anEvent } from '../../store/conformance/place.ts'
import type { EventQuery } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { fakeContext, fakeRequest, testNowMs } from '../../testing/fake-context.ts'
import { activities } from './activities.ts'

const yearMs = 365 * 86_400_000
const old: LogEvent = { ...anEvent({ timeMs: testNowMs - yearMs + 0.25 }), id: 1000 }

async function contentOf(query: string, store: Partial<Store> = {}) {
  const answer = await activities.get(
    fakeRequest(query),
    fakeContext({ store: { event: async id => (id === old.id ? old : null), ...store } }),
  )
  if (answer.kind !== 'content') throw new Error('Content was expected')
  return answer.content
}

t.test('a link to an event alone shows the log of its time', async t => {
  const { window, open, range } = await contentOf('event=1000')
  t.match(open, { id: 1000 })
  t.same(range, window, 'the links of the page keep that time')
  t.equal(window.toMs - window.fromMs, 600_000)
  t.ok(window.fromMs < old.timeMs && old.timeMs < window.toMs)
})

t.test('where the event is gone, it says so over the usual time', async t => {
  const content = await contentOf('event=7')
  t.equal(content.openMissing, true)
  t.same(content.range, { span: '1h' })
})

t.test('a time that the link names is kept', async t => {
  t.same((await contentOf('event=1000&range=15m')).range, { span: '15m' })
})

const row = (id: number): EventRow => ({ ...old, id, exceptionType: null })

t.test('a page that the event stands beyond gives way to the one around it', async t => {
  const asked: EventQuery[] = []
  const events: Store['events'] = async question => {
    asked.push(question)
    if (question.after !== undefined) return { events: [row(1002), row(1001)], older: null, newer: 'n' }
    if (question.before === undefined) return { events: [row(5000)], older: 'o', newer: null }
    return { events: [row(1002), row(1001), row(1000), row(999)], older: 'o', newer: 'n' }
  }
  const content = await contentOf('event=1000', { events })
  t.same(
    content.events.map(({ id }) => id),
    [1002, 1001, 1000, 999],
  )
  const { cursorOf } = fakeContext().store
  const after = cursorOf(old)
  const before = cursorOf({ ...old, id: 1003 })
  t.match(asked, [{ limit: 100 }, { after, limit: 50 }, { before, limit: 100 }])
  t.same(content.cursor, { before }, 'from where it closes, and others open, the page is the same')
  t.match(content, { olderHref: /before=o/, newerHref: /after=n/, liveHref: null })
})

t.test('a page that has it stays, and so does one that follows the present', async t => {
  for (const [query, ids] of [
    ['event=1000', [1001, 1000]],
    ['event=1000&range=30d', [5000]],
    ['event=1000&before=b', [5000]],
    ['event=1000&from=2026-11-01T00:00Z&to=2026-11-02T00:00Z', [5000]],
  ] as const) {
    let asked = 0
    const events: Store['events'] = async () => {
      asked += 1
      return { events: ids.map(row), older: 'o', newer: null }
    }
    t.same((await contentOf(query, { events })).events.length, ids.length)
    t.equal(asked, 1, query)
  }
})
