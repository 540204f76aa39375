import type { Test } from 'tap'
import { StoreUnavailableError } from '../store.ts'
import { anEvent, anything, everything, found, type MakePlace, noonMs, openStore } from './place.ts'

const dayMs = 86_400_000

/** What goes again, and what is stopped. */
export async function limits(t: Test, make: MakePlace): Promise<void> {
  await t.test('drops events that are past their age, by their time or by their acceptance', async t => {
    let clockMs = noonMs - 3 * dayMs
    const store = await openStore(t, make, () => clockMs)
    await store.append([
      anEvent({ timeMs: clockMs, body: 'old' }),
      anEvent({ timeMs: noonMs, body: 'clock ran ahead' }),
    ])
    clockMs = noonMs
    const kept = await store.append([
      anEvent({ body: 'kept' }),
      anEvent({ timeMs: noonMs - dayMs - 1, body: 'late' }),
    ])

    t.equal(await store.retain({ maxAgeMs: 10 * dayMs, maxBytes: 1e12 }, noonMs), 0)
    t.equal(await store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, noonMs), 3)
    t.same(await found(store, anything), ['kept'])
    t.match(await store.stats(), { events: 1, oldestMs: noonMs })
    t.equal(await store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, noonMs), 0)
    t.ok(await store.event(kept[0]?.id ?? -1))
    t.equal(await store.event(kept[1]?.id ?? -1), null)

    t.equal(await store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, noonMs + 2 * dayMs), 1)
    t.match(await store.stats(), { events: 0, oldestMs: null })
    clockMs = noonMs - 10 * dayMs
    const [next] = await store.append([anEvent({ body: 'next' })])
    t.ok((next?.id ?? 0) > (kept[1]?.id ?? 0), 'ids go on growing')
  })

  await t.test('drops the oldest events above a size and gives the disk back', async t => {
    const store = await openStore(t, make)
    const accepted: number[] = []
    const append = async (events: number) => {
      const body = () => Array.from({ length: 30 }, () => Math.random().toString(36)).join(' ')
      const kept = await store.append(Array.from({ length: events }, () => anEvent({ body: body() })))
      accepted.push(...kept.map(({ id }) => id))
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

  await t.test('lets questions end while events go', async t => {
    const store = await openStore(t, make)
    await store.append(Array.from({ length: 2000 }, () => anEvent()))
    const questions = Array.from({ length: 8 }, () =>
      store.histogram({ window: everything, query: anything }, 60_000),
    )
    const dropping = store.retain({ maxAgeMs: dayMs, maxBytes: 1e12 }, noonMs + 30 * dayMs)
    const later = Array.from({ length: 8 }, () => store.services(everything, 60_000))
    await Promise.all([...questions, ...later])
    await dropping
    t.same(await store.services(everything, 60_000), [])
  })

  await t.test('stops a question that is not wanted any more', async t => {
    const store = await openStore(t, make)
    await store.append(Array.from({ length: 2000 }, () => anEvent()))
    const reason = new Error('The visitor has gone')
    await t.rejects(store.services(everything, 60_000, AbortSignal.abort(reason)), reason)

    const controller = new AbortController()
    const ask = () =>
      store.histogram({ window: everything, query: { kind: 'text', text: 'x' } }, 60_000, controller.signal)
    const asked = Array.from({ length: 10 }, ask)
    controller.abort(reason)
    for (const answer of asked) await t.rejects(answer, reason)
    t.equal((await found(store, anything)).length, 1000, 'others are answered')
  })

  await t.test('refuses everything once it is closed', async t => {
    const store = await make(t).open()
    await store.close()
    await t.rejects(store.retain({ maxAgeMs: 1, maxBytes: 1 }, noonMs), StoreUnavailableError)
    await t.rejects(store.lastSeen(), StoreUnavailableError)
  })
}
