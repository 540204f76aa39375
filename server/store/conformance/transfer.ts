import fc from 'fast-check'
import type { Test } from 'tap'
import { hourMs } from '../../../shared/duration-units.ts'
import type { LogEvent } from '../../../shared/event.ts'
import { idsOfHour } from '../common/accepted-hour.ts'
import { idAt } from '../common/time.ts'
import type { Store } from '../store.ts'
import {
  allEvents,
  anEvent,
  findMessages,
  type MakeLocation,
  noonMs,
  openStore,
  testWindow,
} from './testing.ts'

const firstId = idAt(noonMs)

function imported(id: number, overrides: Partial<LogEvent> = {}): LogEvent {
  return { ...anEvent({ body: `event ${id - firstId}` }), id, ...overrides }
}

/** Reads the events in a range of ids, in pages of three events. */
async function readAll(store: Store, ids = { afterId: -1, upToId: Number.MAX_SAFE_INTEGER }) {
  const pages: LogEvent[][] = []
  let { afterId } = ids
  for (const upToId of [...(await store.pageEnds(ids, 3)), ids.upToId]) {
    pages.push(await store.eventsInIds({ afterId, upToId }))
    afterId = upToId
  }
  const last = pages.pop()
  if (pages.some(page => page.length !== 3) || (last?.length ?? 0) >= 3)
    throw new RangeError('A page has the wrong number of events')
  return [...pages.flat(), ...(last ?? [])]
}

/** Tests copying events to another store. */
export async function transfer(t: Test, make: MakeLocation): Promise<void> {
  await t.test('imported events keep their ids, and later events get greater ones', async t => {
    const location = make(t)
    const store = await location.open({ nowMs: () => noonMs })
    const events = [imported(firstId + 5), imported(firstId + 7), imported(firstId + 4096 * 1000)]
    t.same(await store.importEvents(events), { stored: 3, regrouped: 0 })
    t.same(await store.importEvents([]), { stored: 0, regrouped: 0 })
    for (const event of events) t.strictSame(await store.event(event.id), event)
    const [next] = await store.append([anEvent({ body: 'new' })])
    t.ok((next?.id ?? 0) > firstId + 4096 * 1000, 'although the clock is behind')
    await store.close()
    const reopened = await location.open({ nowMs: () => noonMs })
    t.same(await readAll(reopened).then(all => all.map(({ id }) => id)), [
      ...events.map(({ id }) => id),
      next?.id,
    ])
    const [last] = await reopened.append([anEvent()])
    t.ok((last?.id ?? 0) > (next?.id ?? 0))
    t.equal((await reopened.stats()).events, 5)
    await reopened.close()
  })

  await t.test('an import skips stored events, and inserts the missing events between them', async t => {
    const store = await openStore(t, make, () => noonMs)
    const events = Array.from({ length: 12 }, (_, index) => imported(firstId + index * 2))
    const odd = events.filter((_, index) => index % 2 === 1)
    t.same(await store.importEvents(odd), { stored: 6, regrouped: 0 })
    t.equal((await findMessages(store, allEvents)).length, 6)
    const [own] = await store.append([anEvent({ body: 'own' })])
    t.same(await store.importEvents(events), { stored: 6, regrouped: 0 })
    t.same(await store.importEvents(events), { stored: 0, regrouped: 0 })
    t.strictSame(
      (await readAll(store)).filter(({ id }) => id !== own?.id),
      events,
    )
    t.equal((await store.stats()).events, 13)
    t.same(await findMessages(store, { kind: 'text', text: 'event 0' }), ['event 0'])
    const [bucket] = await store.histogram({ window: testWindow, query: allEvents }, 2 * hourMs)
    t.equal(bucket?.counts.info, 13)
    for (const event of events) t.strictSame(await store.event(event.id), event)
  })

  await t.test('an import updates the fingerprints of stored events', async t => {
    const store = await openStore(t, make, () => noonMs)
    const events = ['f00dfeed01', 'f00dfeed02', null, 'f00dfeed04'].map((fingerprint, index) =>
      imported(firstId + index, { fingerprint }),
    )
    await store.importEvents(events)
    const changed = events.map((event, index) => ({
      ...event,
      fingerprint: ['f00dfeed01', null, 'f00dfeed03', 'f00dfeed05'][index] ?? null,
    }))
    const more = [...changed, imported(firstId + 9, { fingerprint: 'f00dfeed09' })]
    t.same(await store.importEvents(more), { stored: 1, regrouped: 3 })
    t.strictSame(await readAll(store), more)
    const query = { window: testWindow, bucketMs: hourMs, sort: 'frequent', state: null } as const
    const { failures } = await store.failures({ ...query, service: null, text: null, limit: 10 })
    t.same(failures.map(({ id }) => id).sort(), ['f00dfeed01', 'f00dfeed03', 'f00dfeed05', 'f00dfeed09'])
  })

  await t.test('an import stores nothing unless its ids are increasing integers', async t => {
    const store = await openStore(t, make)
    for (const ids of [[firstId + 1, firstId], [firstId, firstId], [firstId + 0.5]]) {
      await t.rejects(store.importEvents(ids.map(id => imported(id))), RangeError)
    }
    t.equal((await store.stats()).events, 0)
  })

  await t.test('counts the events accepted in each hour, and reads the events of one hour', async t => {
    const store = await openStore(t, make)
    t.same(await store.acceptedHours(), [])
    const ids = [0, 1, hourMs * 4096 - 1, hourMs * 4096, 3 * hourMs * 4096].map(offset => firstId + offset)
    const events = ids.map(id => imported(id, { timeMs: noonMs - 1000 }))
    await store.importEvents(events)
    t.same(await store.acceptedHours(), [
      { startMs: noonMs, events: 3 },
      { startMs: noonMs + hourMs, events: 1 },
      { startMs: noonMs + 3 * hourMs, events: 1 },
    ])
    t.strictSame(await readAll(store, idsOfHour(noonMs)), events.slice(0, 3))
    t.strictSame(await readAll(store, idsOfHour(noonMs + hourMs)), events.slice(3, 4))
    t.strictSame(await readAll(store, idsOfHour(noonMs - hourMs)), [])
    t.strictSame(await readAll(store), events)
  })

  await t.test('importing events in any order stores each of them once', async t => {
    const offset = fc.integer({ min: 0, max: 4096 * 3_600_000 * 30 })
    const batches = fc.array(fc.array(offset, { maxLength: 8 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(batches, async batches => {
        const store = await make(t).open()
        for (const batch of batches) {
          const ids = [...new Set(batch)].sort((a, b) => a - b).map(each => firstId + each)
          await store.importEvents(ids.map(id => imported(id)))
        }
        const ids = [...new Set(batches.flat())].sort((a, b) => a - b).map(each => firstId + each)
        t.strictSame(
          await readAll(store),
          ids.map(id => imported(id)),
        )
        await store.close()
      }),
      { numRuns: 6 },
    )
  })
}
