import t from 'tap'
import { fieldEquals } from '../../../shared/query.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import type { EventQuery } from '../../store/event-store.ts'
import { openMemoryStore } from '../../store/memory/store.ts'
import { testNowMs } from '../../testing/fake-context.ts'
import { loadPage } from './load-page.ts'
import { newestOfTrace } from './trace.ts'

const { signal } = new AbortController()
const window = { fromMs: testNowMs - 60_000, toMs: testNowMs }
const query: EventQuery = { window, query: fieldEquals('request', 'r-1'), limit: 100, attributes: ['plan'] }

/** A store with a request whose newest event is long, and an event of another request. */
async function storeWith(count: number, bodyLength = 1000) {
  const store = openMemoryStore({ nowMs: () => testNowMs })
  const events = Array.from({ length: count }, (_, index) =>
    anEvent({
      requestId: 'r-1',
      timeMs: window.fromMs + index,
      body: index === count - 1 ? 'x'.repeat(bodyLength) : `Step ${index}`,
      attributes: { plan: index % 2 === 0 ? 'free' : 'pro', 'url.path': '/pay' },
      exception: index === 1 ? { type: 'TypeError', message: 'y'.repeat(1000), stack: null } : null,
    }),
  )
  await store.append([...events, anEvent({ requestId: 'r-2', timeMs: window.fromMs })])
  return store
}

for (const [count, bodyLength, isLoadedTwice] of [
  [0, 0, false],
  [3, 1000, false],
  [100, 1000, false],
  [101, 1000, false],
  [250, 1000, false],
  // The texts exceed the limit for whole events, so the waterfall's events end before the list does.
  [3, 5_000_000, true],
] as const) {
  t.test(`a request with ${count} events of up to ${bodyLength} characters`, async t => {
    const store = await storeWith(count, bodyLength)
    let queries = 0
    const counted = {
      events: (...args: Parameters<typeof store.events>) => {
        queries += 1
        return store.events(...args)
      },
    }
    const searched = newestOfTrace(query, store, signal)
    const expected = await store.events(query)
    t.same(await loadPage({ cursor: {} }, query, searched, counted, signal), expected)
    t.equal(queries, isLoadedTwice ? 1 : 0)
    if (expected.older === null) return
    const cursor = { before: expected.older }
    t.same(
      await loadPage({ cursor }, query, searched, counted, signal),
      await store.events({ ...query, ...cursor }),
    )
  })
}
