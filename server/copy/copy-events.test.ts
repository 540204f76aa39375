import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { hourMs } from '../../shared/duration-units.ts'
import type { LogEvent } from '../../shared/event.ts'
import { noonMs } from '../store/conformance/testing.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import type { Store } from '../store/store.ts'
import { copyEvents } from './copy-events.ts'
import { allEventsOf, copyQuietly, eventsWithIds, notAborted } from './testing.ts'

const idsPerHour = hourMs * 4096

async function storeWith(events: readonly LogEvent[]): Promise<Store> {
  const store = openMemoryStore()
  await store.importEvents(events)
  return store
}

t.test('copies every event, and only new ones the next time', async t => {
  const events = eventsWithIds([0, 1, idsPerHour, 5 * idsPerHour])
  const [source, target] = [await storeWith(events), openMemoryStore()]
  t.match(await copyQuietly(source, target), {
    hours: 3,
    events: 4,
    equalHours: 0,
    stored: 4,
    differences: [],
  })
  t.strictSame(await allEventsOf(target), events)
  t.match(await copyQuietly(source, target), { equalHours: 3, stored: 0, differences: [] })

  const late = eventsWithIds([2, 5 * idsPerHour + 7, 9 * idsPerHour])
  await source.importEvents(late)
  t.match(await copyQuietly(source, target), { hours: 4, equalHours: 1, stored: 3, differences: [] })
  t.strictSame(await allEventsOf(target), await allEventsOf(source))
})

t.test('continues after an interruption at any batch, and imports no event twice', async t => {
  // Two hours with two batches each: while one hour is copied, the other is missing or complete.
  const events = eventsWithIds(
    Array.from({ length: 22_500 }, (_, index) => (index % 2) * idsPerHour + index),
  ).sort((a, b) => a.id - b.id)
  const source = await storeWith(events)
  const target = openMemoryStore()
  let imports = 0
  let interruptions = 0
  for (let run = 1; ; run += 1) {
    const stopping = new AbortController()
    const interrupted: Store = {
      ...target,
      async importEvents(batch) {
        const result = await target.importEvents(batch)
        imports += result.stored
        if (result.stored > 0) {
          interruptions += 1
          stopping.abort(new Error('Stop'))
        }
        return result
      },
    }
    const copying = copyQuietly(source, interrupted, stopping.signal)
    if (
      await copying.then(
        () => true,
        () => false,
      )
    )
      break
    t.ok(run < 20)
  }
  t.equal(interruptions, 4)
  t.equal(imports, events.length)
  // Much faster than t.strictSame.
  t.ok(isDeepStrictEqual(await allEventsOf(target), events))
  t.match(await copyQuietly(source, target), { equalHours: 2, stored: 0 })
})

t.test('updates fingerprints that changed in the source', async t => {
  const source = await storeWith(eventsWithIds([1, 2], { fingerprint: 'f00dfeed01' }))
  const target = openMemoryStore()
  await copyQuietly(source, target)
  await source.importEvents(eventsWithIds([2], { fingerprint: 'f00dfeed02' }))
  t.match(await copyQuietly(source, target), { stored: 0, regrouped: 1, differences: [] })
  t.strictSame(await allEventsOf(target), await allEventsOf(source))
})

t.test('keeps events that are only in the target, and counts them', async t => {
  const source = await storeWith(eventsWithIds([1, 3, 5]))
  const target = await storeWith(eventsWithIds([2, 3, 6, 7, 2 * idsPerHour]))
  for (const stored of [2, 0]) {
    t.match(await copyQuietly(source, target), { stored, onlyInTarget: 4, differences: [] })
  }
  t.equal((await allEventsOf(target)).length, 7)
})

t.test('reports hours in which the target lacks events or has different ones', async t => {
  const source = await storeWith(eventsWithIds([1, 2, 3, idsPerHour]))
  const target = await storeWith(eventsWithIds([2], { body: 'Another body' }))
  const losing: Store = {
    ...target,
    importEvents: events => target.importEvents(events.filter(({ body }) => body !== 'event 3')),
  }
  t.match(await copyQuietly(source, losing), {
    stored: 2,
    differences: [{ startMs: noonMs, missing: 1, different: 1, onlyInTarget: 0 }],
  })
  const twice: Store = {
    ...target,
    async eventsInIds(ids) {
      const events = await source.eventsInIds(ids)
      return events.flatMap(event => (event.body === 'event 2' ? [event, event] : event))
    },
  }
  t.match(
    await copyQuietly(source, twice),
    { differences: [{ missing: 0, different: 1, onlyInTarget: 0 }] },
    'stored twice',
  )
})

t.test('the reported progress adds up to the number of events', async t => {
  const source = await storeWith(eventsWithIds([1, 2, idsPerHour]))
  const target = await storeWith(eventsWithIds([1, 2]))
  const calls: [number, number?][] = []
  const progress = {
    start: (events: number) => void calls.push([events]),
    advance: (events: number, startMs: number) => void calls.push([events, startMs]),
  }
  await copyEvents(source, target, progress, notAborted)
  t.same(calls, [[3], [2, noonMs], [1, noonMs + hourMs]])
})
