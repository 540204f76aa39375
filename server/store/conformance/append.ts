import fc from 'fast-check'
import type { Test } from 'tap'
import { eventSources, type NewEvent } from '../../../shared/event.ts'
import { severities } from '../../../shared/severity.ts'
import { anyCharacter } from '../../../shared/testing/any-character.ts'
import { acceptedMs } from '../common/time.ts'
import { StoreUnavailableError } from '../store.ts'
import {
  allEvents,
  anEvent,
  findMessages,
  type MakeLocation,
  noonMs,
  openStore,
  testWindow,
  withoutId,
} from './testing.ts'

/** Tests that appended events are stored completely and permanently. */
export async function append(t: Test, make: MakeLocation): Promise<void> {
  await t.test('append and event return all events unchanged', async t => {
    const store = await openStore(t, make)
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25, size: 'max' }), async events => {
        const stored = await store.append(events)
        t.same(stored.map(withoutId), events)
        for (const one of stored) t.strictSame(await store.event(one.id), one)
      }),
      { numRuns: 6 },
    )
  })

  await t.test('an id contains the acceptance time', async t => {
    const nowMs = noonMs + 5000
    const store = await openStore(t, make, () => nowMs)
    const [stored] = await store.append([anEvent({ timeMs: noonMs })])
    t.equal(acceptedMs(stored?.id ?? -1), nowMs)
  })

  await t.test('recognises the idempotency keys of stored requests, even after a restart', async t => {
    const location = make(t)
    const store = await location.open({ nowMs: () => noonMs })
    t.same(await store.claimRequests([]), [])
    t.same(await store.claimRequests(['one', 'two']), ['new', 'new'])
    await store.append([anEvent(), anEvent()], ['one', 'two'])
    t.same(await store.claimRequests(['three', 'two']), ['new', 'stored'])
    await store.append([anEvent()], ['three'])
    await store.close()
    const reopened = await location.open({ nowMs: () => noonMs })
    t.same(await reopened.claimRequests(['three', 'one', 'two', 'four']), [
      'stored',
      'stored',
      'stored',
      'new',
    ])
    await reopened.close()
  })

  await t.test('stores long text and unusual characters', async t => {
    const store = await openStore(t, make)
    const body = `\0${'ß😀\u202e'.repeat(3334)}\r\n`
    const [stored] = await store.append([
      anEvent({ body, attributes: { '\0': { 'a.b': ['\u2028', body] } } }),
    ])
    t.strictSame(await store.event(stored?.id ?? -1), stored)
    t.equal((await store.event(stored?.id ?? -1))?.body, body)
  })

  await t.test('replaces lone surrogates, including in the returned events', async t => {
    const store = await openStore(t, make)
    const [stored] = await store.append([
      anEvent({ body: 'a\ud800b', attributes: { 'k\udfff': ['\udc00\\ud800', '😀'] } }),
    ])
    t.equal(stored?.body, 'a\ufffdb')
    t.strictSame(stored?.attributes, { 'k\ufffd': ['\ufffd\\ud800', '😀'] })
    t.strictSame(await store.event(stored?.id ?? -1), stored)
  })

  await t.test('removes a leading byte order mark, including in the returned events', async t => {
    const store = await openStore(t, make)
    const [stored] = await store.append([
      anEvent({
        service: '\ufeffshop',
        body: '\ufeff\ufeffa\ufeff',
        exception: { type: '\ufeffError', message: '', stack: '\ufeff' },
        attributes: { '\ufeff': '\ufeff' },
      }),
    ])
    t.match(stored, { service: 'shop', body: 'a\ufeff', exception: { type: 'Error', stack: '' } })
    t.strictSame(stored?.attributes, { '\ufeff': '\ufeff' })
    t.strictSame(await store.event(stored?.id ?? -1), stored)
  })

  await t.test('ids increase in order of acceptance, even if the clock is set back', async t => {
    const location = make(t)
    let clockMs = noonMs
    const nowMs = () => clockMs
    const ids: number[] = []
    for (const stepMs of [0, 5, -60_000, 0, -86_400_000]) {
      clockMs += stepMs
      const store = await location.open({ nowMs })
      // The large batch needs the ids of several milliseconds.
      for (const length of stepMs < 0 ? [100] : [100, 4500]) {
        ids.push(...(await store.append(Array.from({ length }, () => anEvent()))).map(({ id }) => id))
      }
      await store.close()
    }
    t.ok(ids.every(Number.isSafeInteger))
    t.ok(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0)))
  })

  await t.test('stores all events of a batch or none', async t => {
    const store = await openStore(t, make)
    await t.rejects(store.append([anEvent(), anEvent({ timeMs: Number.NaN })]), RangeError)
    await t.rejects(store.append([anEvent(), anEvent({ status: 0.5 })]), RangeError)
    t.same(await findMessages(store, allEvents), [])
    await store.append([anEvent({ body: 'after' })])
    t.same(await findMessages(store, allEvents), ['after'])
    t.equal((await store.stats()).events, 1)
  })

  await t.test('simultaneous batches are stored in order', async t => {
    const store = await openStore(t, make)
    const batches = await Promise.all(
      Array.from({ length: 8 }, (_, batch) =>
        store.append([anEvent({ body: `${batch}` }), anEvent({ body: `${batch}` })]),
      ),
    )
    const ids = batches.flat().map(({ id }) => id)
    t.same(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    t.equal((await store.stats()).events, 16)
    t.same(await store.append([]), [])
  })

  await t.test('close finishes pending appends, and the reopened store contains their events', async t => {
    const location = make(t)
    const store = await location.open()
    const accepted = store.append([anEvent({ body: 'accepted' })])
    await store.close()
    await store.close()
    await accepted
    await t.rejects(store.append([anEvent()]), StoreUnavailableError)
    await t.rejects(store.events({ window: testWindow, query: allEvents, limit: 1 }), StoreUnavailableError)

    const reopened = await location.open()
    t.same(await findMessages(reopened, allEvents), ['accepted'])
    const stats = await reopened.stats()
    t.match(stats, { events: 1, oldestMs: noonMs })
    t.ok(stats.diskBytes > 0)
    await reopened.close()
  })

  await t.test('an empty store returns empty results', async t => {
    const store = await openStore(t, make)
    t.match(await store.stats(), { events: 0, oldestMs: null })
    t.equal(await store.event(1), null)
    t.same(await store.events({ window: testWindow, query: allEvents, limit: 10 }), {
      events: [],
      older: null,
      newer: null,
    })
    t.same(await store.services(testWindow, 60_000), [])
    t.same(await store.seenSources(), [])
  })
}

const text = fc.string({ unit: anyCharacter, maxLength: 40 }).map(text => text.replace(/^\ufeff+/, ''))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

const event: fc.Arbitrary<NewEvent> = fc.record(
  {
    // Times with microseconds, long before and after 1970.
    timeMs: fc.integer({ min: -1e15, max: 4e15 }).map(timeUs => timeUs / 1000),
    severity: fc.constantFrom(...severities),
    service: text,
    release: maybe(text),
    source: fc.constantFrom(...eventSources),
    body: text,
    requestId: maybe(text),
    traceId: maybe(text),
    spanId: maybe(text),
    method: maybe(text),
    route: maybe(text),
    status: maybe(fc.integer({ min: 0, max: 999 })),
    durationMs: maybe(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
    exception: maybe(fc.record({ type: text, message: text, stack: maybe(text) }, { noNullPrototype: true })),
    digest: maybe(text),
    fingerprint: maybe(text),
    // Attributes are JSON, which has no negative zero.
    attributes: fc
      .dictionary(text, fc.jsonValue({ stringUnit: anyCharacter }), { noNullPrototype: true })
      .map(attributes => JSON.parse(JSON.stringify(attributes))),
  },
  { noNullPrototype: true },
)
