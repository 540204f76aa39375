import type { Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import type { Resolution } from '../failure-state-store.ts'
import type { Store } from '../store.ts'
import { anEvent, everything, found, type MakePlace, noonMs, openStore } from './place.ts'

function occurrence(
  fingerprint: string,
  release: string | null,
  differing: Partial<NewEvent> = {},
): NewEvent {
  return anEvent({ fingerprint, release, severity: 'error', ...differing })
}

const resolution: Resolution = {
  atMs: noonMs + 5,
  release: '1.1',
  oldReleases: [
    { service: 'shop', release: '1.0' },
    { service: 'shop', release: null },
  ],
}

async function stateOf(store: Store, fingerprint: string) {
  const row = await store.failure(fingerprint, 60_000, everything)
  if (row === null) return null
  const { state, stateMs, resolved, returned } = row
  return { state, stateMs, resolved, returned }
}

/** What is known and decided of failures, and who looks through their occurrences. */
export async function failureBook(t: Test, make: MakePlace): Promise<void> {
  await t.test('what there was at the beginning is known, what comes after is not', async t => {
    let nowMs = noonMs
    const store = await openStore(t, make, () => nowMs)
    const book = store.failureBook
    await store.append([occurrence('old', '1.0'), anEvent()])
    await book.begin()
    t.match(await book.look(10), { sightings: [], isEnd: true })
    nowMs += 10
    await store.append([
      occurrence('new', '1.0', { timeMs: 0 }),
      occurrence('old', '2.0'),
      occurrence('new', null, { service: 'api' }),
    ])
    nowMs += 10
    await store.append([occurrence('new', '1.0')])
    await book.begin()
    const look = await book.look(10)
    t.strictSame(look.sightings, [
      { fingerprint: 'new', service: 'shop', release: '1.0', acceptedMs: noonMs + 10, resolution: null },
      { fingerprint: 'new', service: 'api', release: null, acceptedMs: noonMs + 10, resolution: null },
    ])
    t.strictSame(await book.look(10), look, 'until it is entered')
    await book.enter({ known: ['new'], returned: [], lastId: look.lastId })
    await store.append([occurrence('new', '3.0')])
    t.match(await book.look(10), { sightings: [], isEnd: true })
  })

  await t.test('looks on where it was, over a restart, a piece at a time', async t => {
    const place = make(t)
    const first = await place.open()
    await first.failureBook.begin()
    await first.append(['a', 'b', 'c'].map(fingerprint => occurrence(fingerprint, null)))
    const look = await first.failureBook.look(2)
    t.match(look, { sightings: [{ fingerprint: 'a' }, { fingerprint: 'b' }], isEnd: false })
    await first.failureBook.enter({ known: ['a', 'b'], returned: [], lastId: look.lastId })
    await first.close()
    const store = await place.open()
    t.teardown(() => store.close())
    await store.failureBook.begin()
    t.match(await store.failureBook.look(2), { sightings: [{ fingerprint: 'c' }], isEnd: true })
  })

  await t.test('sees a resolved failure from its resolving on, with what was said then', async t => {
    const store = await openStore(t, make, () => noonMs)
    const book = store.failureBook
    await book.begin()
    await store.append([occurrence('f', '1.0')])
    await book.resolve('f', resolution)
    t.same((await book.look(10)).sightings, [], 'what was accepted before is no sighting')
    t.same(await stateOf(store, 'f'), {
      state: 'resolved',
      stateMs: noonMs + 5,
      resolved: { release: '1.1', atMs: noonMs + 5 },
      returned: null,
    })
    await store.append([occurrence('f', '1.2')])
    const { sightings, lastId } = await book.look(10)
    t.strictSame(sightings, [
      { fingerprint: 'f', service: 'shop', release: '1.2', acceptedMs: noonMs, resolution },
    ])
    const returned = { fingerprint: 'f', release: '1.2', atMs: noonMs + 7 }
    await book.enter({ known: [], returned: [{ ...returned, resolvedMs: 1 }], lastId })
    t.match(await stateOf(store, 'f'), { state: 'resolved' }, 'somebody resolved it anew in between')
    await book.enter({ known: [], returned: [{ ...returned, resolvedMs: resolution.atMs }], lastId })
    t.same(await stateOf(store, 'f'), {
      state: 'open',
      stateMs: noonMs + 7,
      resolved: { release: '1.1', atMs: noonMs + 5 },
      returned: { release: '1.2', atMs: noonMs + 7 },
    })
    await book.resolve('f', { ...resolution, atMs: noonMs + 9, release: null })
    t.match(await stateOf(store, 'f'), {
      resolved: { release: null, atMs: noonMs + 9 },
      returned: null,
    })
  })

  await t.test('lists failures by state, and counts open ones alone as failing', async t => {
    const place = make(t)
    const first = await place.open()
    await first.append(['a', 'b', 'c', 'c'].map(fingerprint => occurrence(fingerprint, '1.0')))
    await first.failureBook.setState('a', 'muted', noonMs)
    await first.failureBook.resolve('b', resolution)
    await first.close()
    const store = await place.open()
    t.teardown(() => store.close())
    const question = {
      window: everything,
      bucketMs: 3_600_000,
      sort: 'newest',
      service: null,
      limit: 10,
    } as const
    const listed = async (state: 'open' | 'resolved' | 'muted' | null) =>
      (await store.failures({ ...question, state })).map(({ fingerprint }) => fingerprint).sort()
    t.same(await listed('open'), ['c'])
    t.same(await listed('resolved'), ['b'])
    t.same(await listed('muted'), ['a'])
    t.same(await listed(null), ['a', 'b', 'c'])
    t.same(await store.failureStates(everything), { open: 1, resolved: 1, muted: 1 })
    t.equal(await store.failureCount(everything), 2)
    t.match(await store.services(everything, 3_600_000), [{ service: 'shop', events: 4, failures: 2 }])
    await store.failureBook.setState('a', 'open', noonMs)
    t.same(await listed('open'), ['a', 'c'])
    t.same(await store.failureStates({ fromMs: 0, toMs: 1 }), { open: 0, resolved: 0, muted: 0 })
  })

  await t.test('finds the occurrences of failures by their state', async t => {
    const store = await openStore(t, make)
    await store.append(
      ['a', 'b', 'c', 'c'].map(fingerprint => occurrence(fingerprint, '1.0', { body: fingerprint })),
    )
    await store.append([anEvent({ body: 'no failure' })])
    await store.failureBook.setState('a', 'muted', noonMs)
    await store.failureBook.resolve('b', resolution)
    const inState = (value: string) =>
      found(store, { kind: 'field', field: 'failure', comparison: '=', value })
    t.same(await inState('open'), ['c', 'c'])
    t.same(await inState('resolved'), ['b'])
    t.same(await inState('muted'), ['a'])
    t.same(await inState('lost'), [])
    t.same(await found(store, { kind: 'exists', field: 'failure' }), ['a', 'b', 'c', 'c'])
  })

  await t.test('keeps notes, newest first', async t => {
    const { failureBook: book } = await openStore(t, make)
    const note = (id: string, atMs: number) => ({
      id,
      writtenMs: noonMs + atMs,
      text: `It's ${id}\n"now" 😀`,
    })
    await book.addNote('f', note('n1', 0))
    await book.addNote('f', note('n2', 1))
    await book.addNote('g', note('n3', 2))
    t.strictSame(await book.notes('f'), [note('n2', 1), note('n1', 0)])
    await book.removeNote('g', 'n1')
    await book.removeNote('f', 'n2')
    t.strictSame(await book.notes('f'), [note('n1', 0)])
  })

  await t.test('tells nothing new of a failure that is entered as known', async t => {
    const store = await openStore(t, make)
    const book = store.failureBook
    await book.begin()
    await book.setState('muted', 'muted', noonMs)
    await book.know(['moved', 'muted', 'moved'])
    await book.know([])
    await store.append([occurrence('moved', '1.0'), occurrence('muted', '1.0'), occurrence('other', '1.0')])
    t.same(
      (await book.look(10)).sightings.map(({ fingerprint }) => fingerprint),
      ['other'],
    )
    t.match(await stateOf(store, 'muted'), { state: 'muted' })
  })

  await t.test('hands state and notes over to another fingerprint', async t => {
    const store = await openStore(t, make)
    const book = store.failureBook
    await store.append([occurrence('to', '1.0'), occurrence('set', '1.0')])
    await book.enter({ known: ['to', 'set'], returned: [], lastId: 0 })
    await book.addNote('from', { id: 'n', writtenMs: noonMs, text: 'Known' })
    await book.resolve('from', resolution)
    await book.setState('set', 'muted', noonMs)
    await book.move('from', 'to')
    await book.move('to', 'set')
    t.match(await stateOf(store, 'to'), { state: 'resolved', resolved: { release: '1.1' } })
    t.match(await stateOf(store, 'set'), { state: 'muted' }, 'what somebody set stays')
    t.match(await book.notes('set'), [{ text: 'Known' }])
    await book.move('nobody', 'to')
    t.match(await stateOf(store, 'to'), { state: 'resolved' })
  })

  await t.test('knows what a failure that was moved goes under', async t => {
    const place = make(t)
    const first = await place.open()
    t.equal(await first.failureBook.movedTo('a'), null)
    await first.failureBook.move('a', 'b')
    await first.failureBook.move('x', 'b')
    await first.failureBook.move('b', 'c')
    await first.close()
    const { failureBook: book, close } = await place.open()
    t.teardown(close)
    const whereTo = async () => Promise.all(['a', 'x', 'b', 'c'].map(each => book.movedTo(each)))
    t.same(await whereTo(), ['c', 'c', 'c', null], 'over a restart, and however often it was moved')
    await book.move('c', 'a')
    t.same(await whereTo(), [null, 'a', 'a', 'a'], 'back again')
    await book.move('x', 'd')
    t.same(await whereTo(), [null, 'd', 'a', 'a'], 'the last move counts')
  })

  await t.test('tells whom a failure met', async t => {
    const store = await openStore(t, make)
    const trace = 'a'.repeat(32)
    await store.append([
      occurrence('f', null, { traceId: trace, requestId: 'r1', attributes: { 'user.id': 'u1' } }),
      occurrence('f', null, { traceId: trace, requestId: 'r2', attributes: { user: { id: 'u1' } } }),
      occurrence('f', null, { requestId: 'r3', attributes: { userId: 42 } }),
      occurrence('f', null, { requestId: 'r3', attributes: { enduser: { id: 'u3' } } }),
      occurrence('f', null, { attributes: { userId: '[redacted]', id: 7 } }),
      occurrence('g', null, { requestId: 'r4', attributes: { userId: 'u4' } }),
    ])
    t.strictSame(await store.failureReach('f'), {
      occurrences: 5,
      requests: 2,
      withoutRequest: 1,
      users: 3,
      withoutUser: 1,
    })
  })

  await t.test('knows the releases of services', async t => {
    const store = await openStore(t, make)
    await store.append([
      anEvent({ release: '1.0', timeMs: noonMs + 3 }),
      anEvent({ release: '1.0', timeMs: noonMs + 1 }),
      anEvent({ release: '1.1', timeMs: noonMs + 2 }),
      anEvent({ release: null }),
      anEvent({ service: 'api', release: '9' }),
      anEvent({ service: 'mail', release: '8' }),
    ])
    t.strictSame(await store.releases(['shop', 'api', 'nobody']), [
      { service: 'shop', release: '1.1', firstSeenMs: noonMs + 2 },
      { service: 'shop', release: '1.0', firstSeenMs: noonMs + 1 },
      { service: 'api', release: '9', firstSeenMs: noonMs },
    ])
    t.same(await store.releases([]), [])
  })
}
