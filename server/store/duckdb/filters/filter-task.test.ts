import { createHash } from 'node:crypto'
import t from 'tap'
import type { Attributes } from '../../../../shared/event.ts'
import type { Query } from '../../../../shared/query.ts'
import { anEvent, noonMs, testWindow as window } from '../../conformance/testing.ts'
import type { Database } from '../engine/database.ts'
import { eventPage } from '../events/event-page.ts'
import { wholeEvent } from '../sql/event-rows.ts'
import { candidatesIn } from './candidates.ts'
import { mayMatch } from './may-match.ts'
import { openFiltered } from './testing.ts'

/** For each segment, how many blocks must be read for a search, and whether events without a filter must be read too. */
async function readBy(
  database: Database,
  query: Query,
): Promise<[blocks: number, readsUnfiltered: boolean][]> {
  return database.reading(undefined, async source => {
    const all = source.segments.all().map(async segment => {
      const filters = await source.searchFilters(segment)
      const { blocks, unfiltered } = candidatesIn(segment, filters, mayMatch(query))
      return [blocks.length, unfiltered !== null] satisfies [number, boolean]
    })
    return Promise.all(all)
  })
}

function text(words: string): Query {
  return { kind: 'text', text: words }
}

const events = (count: number) =>
  Array.from({ length: count }, (_, index) => anEvent({ body: `word number${index}` }))

t.test('builds filters for sealed segments and for full blocks of the active segment', async t => {
  const { database, buildFilters, sealSegment } = await openFiltered(t)
  await database.append(events(12), [])
  sealSegment()
  await database.append(events(7), [])
  t.same(await readBy(database, text('missing')), [
    [0, true],
    [0, true],
  ])
  await buildFilters()
  t.same(await readBy(database, text('word')), [
    [3, false],
    [1, true],
  ])
  t.same(await readBy(database, text('missing')), [
    [0, false],
    [0, true],
  ])
  t.same(await readBy(database, text('number11')), [
    [1, false],
    [0, true],
  ])
  await database.append(events(3), [])
  await buildFilters()
  t.same((await readBy(database, text('word')))[1], [2, false], 'continues after the last block')
})

t.test('a search for an attribute skips blocks with longer values', async t => {
  const { database, buildFilters } = await openFiltered(t)
  const having = (attributes: Attributes) => Array.from({ length: 5 }, () => anEvent({ attributes }))
  await database.append([...having({ plan: 'pro' }), ...having({ plan: 'product' })], [])
  await buildFilters()
  const plan = (value: string): Query => ({ kind: 'attribute', path: 'plan', comparison: '=', value })
  t.same(await readBy(database, plan('PRO')), [[1, false]])
  t.same(await readBy(database, plan('p*o')), [[2, false]])
  t.same(await readBy(database, plan('basic')), [[0, false]])
})

t.test('filters are stored with their segment', async t => {
  const folder = t.testdir()
  await t.test('build', async t => {
    const { database, buildFilters } = await openFiltered(t, folder)
    await database.append(events(10), [])
    await buildFilters()
  })
  const { database } = await openFiltered(t, folder)
  t.same(await readBy(database, text('word')), [[2, false]])
  t.same(await readBy(database, text('missing')), [[0, false]])
})

t.test('new events do not get the ids of deleted events, because old filters would hide them', async t => {
  const folder = t.testdir()
  await t.test('delete the newest events', async t => {
    const { database, buildFilters } = await openFiltered(t, folder)
    const late = { timeMs: noonMs - 10 * 86_400_000 }
    await database.append([...events(2), anEvent(late), anEvent(late), anEvent(late)], [])
    await buildFilters()
    await database.retain({ maxAgeMs: 86_400_000, maxBytes: 1e9 }, noonMs)
  })
  // The clock still shows `noonMs`, so the new event could get the id of a deleted one.
  const { database } = await openFiltered(t, folder)
  await database.append([anEvent({ body: 'new text' })], [])
  t.same(await readBy(database, text('new text')), [[0, true]])
})

t.test('stops in the middle of a segment, and continues after the next start', async t => {
  const folder = t.testdir()
  await t.test('stop', async t => {
    const { database, task } = await openFiltered(t, folder)
    await database.append(events(50), [])
    const run = task.wake()
    await task.stop()
    await run
  })
  const { database, buildFilters } = await openFiltered(t, folder)
  await buildFilters()
  t.same(await readBy(database, text('word')), [[10, false]])
})

t.test('reports a filter that cannot be built, and tries again after an hour', async t => {
  const { database, task, problems, pass } = await openFiltered(t)
  await database.append(events(5), [])
  const rename = (from: string, to: string) =>
    database.writing(async (connection, segments) => {
      for (const { name } of segments)
        await connection.run(`ALTER TABLE ${name}.search_filter RENAME ${from} TO ${to}`)
    })
  await rename('filter', 'other')
  await task.wake()
  pass(59 * 60_000)
  await task.wake()
  t.equal(problems.length, 1)
  pass(60_000)
  await task.wake()
  t.equal(problems.length, 2)
  await rename('other', 'filter')
  pass(60 * 60_000)
  await task.wake()
  t.equal(problems.length, 2)
  t.same(await readBy(database, text('word')), [[1, false]])
})

t.test('reports only once an hour that filters cannot be built, not for each segment', async t => {
  const { database, task, problems, pass, sealSegment } = await openFiltered(t)
  await database.append(events(5), [])
  sealSegment()
  await database.append(events(5), [])
  await database.writing(async (connection, segments) => {
    for (const { name } of segments) await connection.run(`DROP TABLE ${name}.search_filter`)
  })
  await task.wake()
  pass(10_000)
  await task.wake()
  t.equal(problems.length, 1)
  pass(60 * 60_000)
  await task.wake()
  t.equal(problems.length, 2)
})

t.test('all text searches read a block whose text is too varied for a filter', async t => {
  const { database, buildFilters } = await openFiltered(t)
  const bytes = createHash('shake256', { outputLength: 600_000 }).update('letters').digest()
  const body = Array.from(bytes, byte => (byte % 36).toString(36)).join('')
  await database.append([anEvent({ body }), ...events(4)], [])
  await buildFilters()
  t.same(await readBy(database, text('missing')), [[1, false]])
  t.same(await readBy(database, { kind: 'field', field: 'route', comparison: '=', value: '/missing' }), [
    [0, false],
  ])
})

t.test('finds words anywhere in long text', async t => {
  const { database, buildFilters } = await openFiltered(t)
  const words = 'these words are in the middle'
  for (const length of [32_750, 65_520]) {
    await database.append(
      Array.from({ length: 5 }, () =>
        anEvent({ body: `${'x'.repeat(length)}${words}${'y'.repeat(length)}` }),
      ),
      [],
    )
  }
  await buildFilters()
  for (let from = 0; from < words.length - 4; from += 1) {
    const part = words.slice(from, from + 20)
    t.same(await readBy(database, text(part)), [[2, false]], part)
  }
})

const ids = {
  requestId: 'req-1a2b',
  traceId: '2776893fd973a7cb0ce3d5d0c818a674',
  spanId: '0ce3d5d0c818a674',
  digest: '4163817072@E352',
}

t.test('finds ids by their whole value or a part of it', async t => {
  const { database, buildFilters } = await openFiltered(t)
  await database.append([anEvent(ids), ...events(4), ...events(5)], [])
  await buildFilters()
  const field = (name: 'request' | 'trace' | 'span' | 'digest', value: string): Query => ({
    kind: 'field',
    field: name,
    comparison: '=',
    value,
  })
  const found: Query[] = [
    field('request', 'REQ-1a2b'),
    field('request', 'req-*'),
    field('trace', ids.traceId),
    field('span', ids.spanId),
    field('digest', '4163817072'),
    text(ids.traceId),
    text('req-1a'),
  ]
  for (const query of found) t.same(await readBy(database, query), [[1, false]], JSON.stringify(query))

  const hex = Array.from({ length: 100 }, (_, index) => createHash('md5').update(`${index}`).digest('hex'))
  const missing: Record<string, (id: string) => Query> = {
    request: id => field('request', `req-${id.slice(0, 4)}`),
    trace: id => field('trace', id),
    span: id => field('span', id.slice(0, 16)),
    text: text,
  }
  for (const [name, query] of Object.entries(missing)) {
    const read = await Promise.all(hex.map(id => readBy(database, query(id))))
    t.ok(read.filter(([[blocks] = [1]] = []) => blocks > 0).length < 15, name)
  }
})

t.test('a search finds events that were imported into the id range of an existing filter', async t => {
  const { database, buildFilters, sealSegment } = await openFiltered(t)
  const stored = await database.append(events(12), [])
  sealSegment()
  await database.append(events(7), [])
  await buildFilters()
  const [first, ...others] = stored
  const imported = [first, ...others].flatMap((event, index) =>
    event === undefined ? [] : { ...event, id: event.id - 100 + index * 10, body: 'imported' },
  )
  t.match(await database.importEvents(imported), { regrouped: 0 })
  const matching = await readBy(database, text('imported'))
  t.ok(matching.some(([blocks, readsUnfiltered]) => blocks > 0 || readsUnfiltered))
  const rows = await database.reading(undefined, source =>
    eventPage(source, { window, query: text('imported'), limit: 100 }, wholeEvent),
  )
  t.equal(rows.events.length, imported.filter(({ id }) => !stored.some(each => each.id === id)).length)
})
