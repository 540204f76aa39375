import type { Test } from 'tap'
import {
  allEvents,
  anEvent,
  findMessages,
  type MakeLocation,
  noonMs,
  openStore,
  testWindow,
} from './testing.ts'

const dayMs = 86_400_000

/** Tests which events retention deletes. */
export async function retention(t: Test, make: MakeLocation): Promise<void> {
  await t.test('deletes events that occurred or were accepted too long ago', async t => {
    let clockMs = noonMs - 3 * dayMs
    const store = await openStore(t, make, () => clockMs)
    await store.append([
      anEvent({ timeMs: clockMs, body: 'old' }),
      anEvent({ timeMs: noonMs, body: 'clock ran ahead' }),
    ])
    clockMs = noonMs
    const stored = await store.append([
      anEvent({ body: 'new' }),
      anEvent({ timeMs: noonMs - dayMs - 1, body: 'late' }),
    ])

    t.equal(await store.retain({ maxAgeMs: 10 * dayMs, maxBytes: 1e12 }, noonMs), 0)
    t.equal(await store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, noonMs), 3)
    t.same(await findMessages(store, allEvents), ['new'])
    t.match(await store.stats(), { events: 1, oldestMs: noonMs })
    t.equal(await store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, noonMs), 0)
    t.ok(await store.event(stored[0]?.id ?? -1))
    t.equal(await store.event(stored[1]?.id ?? -1), null)

    t.equal(await store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, noonMs + 2 * dayMs), 1)
    t.match(await store.stats(), { events: 0, oldestMs: null })
    clockMs = noonMs - 10 * dayMs
    const [next] = await store.append([anEvent({ body: 'next' })])
    t.ok((next?.id ?? 0) > (stored[1]?.id ?? 0), 'ids keep increasing')
  })

  await t.test('deletes the oldest events to meet the size limit, and frees disk space', async t => {
    const store = await openStore(t, make)
    const accepted: number[] = []
    const append = async (events: number) => {
      const body = () => Array.from({ length: 30 }, () => Math.random().toString(36)).join(' ')
      const stored = await store.append(Array.from({ length: events }, () => anEvent({ body: body() })))
      accepted.push(...stored.map(({ id }) => id))
    }
    const maxBytes = 8e6
    let dropped = 0
    for (let round = 0; round < 6; round++) {
      await append(5000)
      dropped += await store.retain({ maxAgeMs: dayMs * 1e4, maxBytes }, noonMs)
    }
    const { diskBytes, events } = await store.stats()
    t.ok(diskBytes <= maxBytes, `${diskBytes} bytes on disk`)
    t.ok(dropped > 0 && events > 0)
    t.equal(dropped + events, accepted.length)
    t.equal(await store.event(accepted[0] ?? -1), null)
    t.ok(await store.event(accepted.at(-1) ?? -1))
  })

  await t.test('deletes only events past the age limit if the others fit within the size limit', async t => {
    let clockMs = noonMs - 5 * dayMs
    const store = await openStore(t, make, () => clockMs)
    const body = () => Array.from({ length: 30 }, () => Math.random().toString(36)).join(' ')
    const append = (timeMs: number) =>
      store.append(Array.from({ length: 2000 }, () => anEvent({ timeMs, body: body() })))
    await append(clockMs)
    await store.retain({ maxAgeMs: 30 * dayMs, maxBytes: 2 * (await store.stats()).diskBytes }, clockMs)
    const { diskBytes } = await store.stats()
    clockMs = noonMs
    await append(noonMs - 60 * dayMs)
    const limits = { maxAgeMs: 30 * dayMs, maxBytes: 1.3 * diskBytes }
    t.equal(await store.countExpired(limits, noonMs), 2000)
    t.equal(await store.retain(limits, noonMs), 2000)
    t.match(await store.stats(), { events: 2000, oldestMs: noonMs - 5 * dayMs })
  })

  await t.test('running queries finish while events are deleted', async t => {
    const store = await openStore(t, make)
    await store.append(Array.from({ length: 2000 }, () => anEvent()))
    const queries = Array.from({ length: 8 }, () =>
      store.histogram({ window: testWindow, query: allEvents }, 60_000),
    )
    const dropping = store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, noonMs + 30 * dayMs)
    const later = Array.from({ length: 8 }, () => store.services(testWindow, 60_000))
    await Promise.all([...queries, ...later])
    await dropping
    t.same(await store.services(testWindow, 60_000), [])
  })

  await t.test('countExpired counts the events that retain would delete by age', async t => {
    const clock = { nowMs: noonMs - 10 * dayMs }
    const store = await openStore(t, make, () => clock.nowMs)
    const dayOf = (days: number) => anEvent({ timeMs: noonMs - days * dayMs })
    await store.append([dayOf(10), dayOf(10)])
    clock.nowMs = noonMs - 5 * dayMs
    await store.append([dayOf(5), dayOf(10), dayOf(5)])
    clock.nowMs = noonMs
    await store.append([dayOf(1), dayOf(0)])
    for (const [days, dropped] of [
      [11, 0],
      [7, 3],
      [2, 2],
      [0.5, 1],
    ] as const) {
      const limits = { maxAgeMs: days * dayMs, maxBytes: 1e12 }
      t.equal(await store.countExpired(limits, noonMs), dropped, `${days} days`)
      t.equal(await store.retain(limits, noonMs), dropped)
      t.equal(await store.countExpired(limits, noonMs), 0)
    }
    t.equal((await store.stats()).events, 1)
  })

  await t.test('countExpired counts the events that retain would delete by size', async t => {
    const clock = { nowMs: noonMs - 3 * dayMs }
    const store = await openStore(t, make, () => clock.nowMs)
    for (const days of [3, 2, 1, 0]) {
      clock.nowMs = noonMs - days * dayMs
      await store.append(
        Array.from({ length: 100 }, () => anEvent({ timeMs: clock.nowMs, body: 'x'.repeat(1000) })),
      )
    }
    const { diskBytes } = await store.stats()
    const age = { maxAgeMs: 100 * dayMs }
    t.equal(await store.countExpired({ ...age, maxBytes: 2 * diskBytes }, noonMs), 0)
    for (const maxBytes of [diskBytes * 0.6, 1]) {
      const expected = await store.countExpired({ ...age, maxBytes }, noonMs)
      t.ok(expected > 0)
      t.equal(await store.retain({ ...age, maxBytes }, noonMs), expected)
    }
    t.equal((await store.stats()).events, 0)
  })
}
