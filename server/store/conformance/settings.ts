import type { Test } from 'tap'
import { anEvent, type MakePlace, noonMs, openStore } from './place.ts'

const dayMs = 86_400_000

/** What was changed on the screen, and what a change of the retention would drop. */
export async function settings(t: Test, make: MakePlace): Promise<void> {
  await t.test('keeps what was changed over a restart, each name once', async t => {
    const place = make(t)
    const first = await place.open()
    t.same(await first.settings.list(), [])
    await first.settings.save([{ name: 'level', value: 'debug' }], noonMs)
    await first.settings.save(
      [
        { name: 'level', value: 'warn' },
        { name: 'days', value: '7' },
      ],
      noonMs + 1,
    )
    await first.close()
    const store = await place.open()
    t.teardown(() => store.close())
    t.same(await store.settings.list(), [
      { name: 'days', value: '7', changedMs: noonMs + 1 },
      { name: 'level', value: 'warn', changedMs: noonMs + 1 },
    ])
  })

  await t.test('forgets what goes back, and keeps an empty value', async t => {
    const { settings } = await openStore(t, make)
    await settings.save([{ name: 'paths', value: '' }], noonMs)
    t.match(await settings.list(), [{ name: 'paths', value: '' }])
    await settings.save(
      [
        { name: 'paths', value: null },
        { name: 'no such', value: null },
      ],
      noonMs,
    )
    t.same(await settings.list(), [])
  })

  await t.test('says how many events a retention would drop, and drops as many', async t => {
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
      t.equal(await store.pastRetention(limits, noonMs), dropped, `${days} days`)
      t.equal(await store.retain(limits, noonMs), dropped)
      t.equal(await store.pastRetention(limits, noonMs), 0)
    }
    t.equal((await store.stats()).events, 1)
  })

  await t.test('says how many events are beyond a size', async t => {
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
    t.equal(await store.pastRetention({ ...age, maxBytes: 2 * diskBytes }, noonMs), 0)
    for (const maxBytes of [diskBytes * 0.6, 1]) {
      const expected = await store.pastRetention({ ...age, maxBytes }, noonMs)
      t.ok(expected > 0)
      t.equal(await store.retain({ ...age, maxBytes }, noonMs), expected)
    }
    t.equal((await store.stats()).events, 0)
  })
}
