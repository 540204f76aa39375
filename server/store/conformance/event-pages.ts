import fc from 'fast-check'
import type { Test } from 'tap'
import type { EventRow } from '../../../shared/event.ts'
import { cursorOf } from '../common/cursor.ts'
import { maxPageLength } from '../common/page.ts'
import { rowOf } from '../common/row-of.ts'
import { allEvents, anEvent, type MakeLocation, noonMs, openStore, testWindow } from './testing.ts'

/** Tests paging in both directions, and the query for the live feed. */
export async function eventPages(t: Test, make: MakeLocation): Promise<void> {
  await t.test('paging in either direction returns each event in the window once', async t => {
    const store = await openStore(t, make)
    // Many events have equal times, and they arrive out of order.
    const times = Array.from({ length: 25 }, (_, index) => noonMs + ((index * 7) % 11))
    const outside = [anEvent({ timeMs: testWindow.fromMs - 0.001 }), anEvent({ timeMs: testWindow.toMs })]
    const stored = await store.append([...times.map(timeMs => anEvent({ timeMs })), ...outside])
    const expected = stored
      .slice(0, 25)
      .toSorted((a, b) => b.timeMs - a.timeMs || b.id - a.id)
      .map(({ id }) => id)

    for (const limit of [1, 2, 7, 11, 24, 25, 26]) {
      const forward: EventRow[][] = []
      let page = await store.events({ window: testWindow, query: allEvents, limit })
      t.equal(page.newer, null)
      for (;;) {
        forward.push(page.events)
        if (page.older === null) break
        page = await store.events({ window: testWindow, query: allEvents, limit, before: page.older })
      }
      const forwardIds = forward.flat().map(({ id }) => id)
      t.same(forwardIds, expected, `pages of ${limit}`)

      const backward = [page.events]
      while (page.newer !== null) {
        page = await store.events({ window: testWindow, query: allEvents, limit, after: page.newer })
        backward.unshift(page.events)
      }
      const backwardIds = backward.flat().map(({ id }) => id)
      t.same(backwardIds, expected, `pages of ${limit}, backward`)
    }
  })

  await t.test('wholeEvents returns the same pages with all fields', async t => {
    const store = await openStore(t, make)
    const stored = await store.append([
      anEvent({ body: 'x'.repeat(2000), attributes: { user: { plan: 'pro' } } }),
      anEvent({ exception: { type: 'Error', message: 'gone', stack: 'at a (b.js:1:2)' } }),
      anEvent({ spanId: '00f067aa0ba902b7' }),
    ])
    const query = { window: testWindow, query: allEvents, limit: 2 }
    const first = await store.wholeEvents(query)
    const rest = await store.wholeEvents({ ...query, before: first.older ?? '' })
    t.strictSame([...first.events, ...rest.events], stored.toReversed())
    t.equal(rest.older, null)
  })

  await t.test('the rows of a page can also be created from its whole events', async t => {
    const store = await openStore(t, make)
    await store.append([
      anEvent({
        body: '😀'.repeat(600),
        requestId: 'r-1',
        attributes: {
          user: { plan: 'pro' },
          'url.path': '/pay',
          items: [1, 2.5, { sku: 'a' }],
          big: 'y'.repeat(900),
        },
      }),
      anEvent({ attributes: { 'user.plan': true, items: '', big: null, req: { url: '/cart?id=1' } } }),
      anEvent({
        route: '/checkout',
        status: 500,
        durationMs: 0.25,
        exception: { type: 'TypeError', message: 'z'.repeat(900), stack: null },
        attributes: { user: { plan: 12.75 }, items: [] },
      }),
    ])
    for (const attributes of [[], ['user.plan', 'items', 'items.1', 'big', 'missing']]) {
      const query = { window: testWindow, query: allEvents, limit: 10, attributes }
      const { events } = await store.wholeEvents(query)
      t.strictSame(
        events.map(event => rowOf(event, attributes)),
        (await store.events(query)).events,
      )
    }
  })

  await t.test('pages of large whole events end early, and contain each event once', async t => {
    const store = await openStore(t, make)
    // The times are in a different order than the ids, and the large texts are in different fields.
    const large = 'x'.repeat(0.4 * maxPageLength)
    const stored = await store.append(
      [
        { body: large },
        { attributes: { nested: { large } } },
        { exception: { type: 'Error', message: '', stack: large } },
        { attributes: { small: true } },
        { exception: { type: 'Error', message: large, stack: null } },
        { body: large.repeat(4) },
        { body: large },
      ].map((fields, index) => anEvent({ ...fields, timeMs: noonMs + ((index * 3) % 7) })),
    )
    const expected = stored.toSorted((a, b) => b.timeMs - a.timeMs).map(({ id }) => id)
    const query = { window: testWindow, query: allEvents, limit: 6 }
    let page = await store.wholeEvents(query)
    t.equal(page.newer, null)
    const forward = [page.events]
    while (page.older !== null) {
      page = await store.wholeEvents({ ...query, before: page.older })
      forward.push(page.events)
    }
    t.same(
      forward.flat().map(({ id }) => id),
      expected,
    )
    const backward = [page.events]
    while (page.newer !== null) {
      page = await store.wholeEvents({ ...query, after: page.newer })
      backward.unshift(page.events)
    }
    t.same(
      backward.flat().map(({ id }) => id),
      expected,
    )
    for (const events of [...forward, ...backward]) {
      t.ok(events.length > 0)
      const withoutLast =
        JSON.stringify(events).length - Math.max(...events.map(each => JSON.stringify(each).length))
      t.ok(withoutLast <= maxPageLength + 10_000, `${withoutLast}`)
    }
    t.ok(forward.length > 2)
    t.same((await store.events(query)).events.length, 6, 'rows are cut instead')
  })

  await t.test('rows contain the requested attributes', async t => {
    const store = await openStore(t, make)
    await store.append([
      anEvent({ attributes: { user: { plan: 'pro' }, 'order.total': 12.5, paid: true } }),
      anEvent({ attributes: { user: 'nobody', long: '😀'.repeat(600) } }),
    ])
    const query = {
      query: allEvents,
      limit: 5,
      attributes: ['user.plan', 'order.total', 'paid', 'long', "o'x"],
    }
    const page = await store.events({ ...query, window: testWindow })
    const expected = [{ long: '😀'.repeat(500) }, { 'user.plan': 'pro', 'order.total': '12.5', paid: 'true' }]
    t.same(
      page.events.map(({ attributeTexts }) => attributeTexts),
      expected,
    )
    const since = await store.since('0', query)
    t.same(
      since.events.map(({ attributeTexts }) => attributeTexts),
      expected.toReversed(),
    )
  })

  await t.test('rows of requests without a route contain the path', async t => {
    const store = await openStore(t, make)
    const request = { method: 'GET', body: 'request completed' }
    await store.append([
      anEvent({ ...request, attributes: { req: { url: '/products/17?color=red' } } }),
      anEvent({ ...request, attributes: { 'url.path': '/cart', req: { url: '/internal' } } }),
      anEvent({ ...request, attributes: { url: 'https://shop.example/orders?token=secret' } }),
      anEvent({ ...request, attributes: { url: 'unknown' } }),
      anEvent({ ...request, route: '/products/:id', attributes: { req: { url: '/products/18' } } }),
      anEvent({ attributes: { url: '/not-a-request' } }),
    ])
    const expected = ['/products/17', '/cart', '/orders', undefined, undefined, undefined]
    const page = await store.events({ window: testWindow, query: allEvents, limit: 10 })
    const since = await store.since('0', { query: allEvents, limit: 10, attributes: [] })
    t.strictSame(page.events.map(({ path }) => path).reverse(), expected)
    t.strictSame(
      since.events.map(({ path }) => path),
      expected,
    )
  })

  await t.test('an empty page has a cursor to the newer page', async t => {
    const store = await openStore(t, make)
    await store.append([anEvent({ body: 'old' }), anEvent({ body: 'new' })])
    const pageAt = (cursor: { before?: string; after?: string }) =>
      store.events({ window: testWindow, query: allEvents, limit: 1, ...cursor })
    const newest = await pageAt({})
    const oldest = await pageAt({ before: newest.older ?? '' })
    t.equal(oldest.older, null)
    const narrow = { fromMs: noonMs + 1, toMs: noonMs + 2 }
    const empty = await store.events({
      window: narrow,
      query: allEvents,
      limit: 1,
      before: newest.older ?? '',
    })
    t.same(empty.events, [])
    t.same((await pageAt({ after: empty.newer ?? '' })).events, newest.events)
  })

  await t.test('cursorOf returns a cursor for paging from any event, in both directions', async t => {
    const store = await openStore(t, make)
    const stored = await store.append(
      // Two events have equal times, so the event with the greater id is newer.
      [3, 2, 2, 1].map((index, number) => anEvent({ body: `${number}`, timeMs: noonMs - index })),
    )
    const query = { window: testWindow, query: allEvents, limit: 10 }
    for (const [index, event] of stored.entries()) {
      const older = await store.events({ ...query, before: cursorOf(event) })
      const newer = await store.events({ ...query, after: cursorOf(event) })
      t.same(bodies(older), ['0', '1', '2', '3'].slice(0, index).reverse())
      t.same(bodies(newer), ['0', '1', '2', '3'].slice(index + 1).reverse())
    }
  })

  await t.test('ignores an unreadable cursor', async t => {
    const store = await openStore(t, make)
    await store.append([anEvent()])
    const first = await store.events({ window: testWindow, query: allEvents, limit: 10 })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.constantFrom('.', '1', '1.', 'zzzzzzzzzzz.1', "1';--.2")),
        async cursor => {
          fc.pre(!/^-?[0-9a-z]+\.-?[0-9a-z]+$/.test(cursor) || cursor.startsWith('zzz'))
          t.same(
            await store.events({ window: testWindow, query: allEvents, limit: 10, before: cursor }),
            first,
          )
          t.same(
            await store.events({ window: testWindow, query: allEvents, limit: 10, after: cursor }),
            first,
          )
        },
      ),
      { numRuns: 20 },
    )
  })

  await t.test('truncates row messages to 500 characters', async t => {
    const store = await openStore(t, make)
    await store.append([anEvent({ body: '😀'.repeat(600) })])
    const { events } = await store.events({ window: testWindow, query: allEvents, limit: 1 })
    t.equal(events[0]?.body, '😀'.repeat(500))
  })

  await t.test('since returns newer events, oldest first', async t => {
    const store = await openStore(t, make)
    const start = await store.since(null, { query: allEvents, limit: 10 })
    t.same(start.events, [])
    const stored = await store.append(
      ['a', 'b', 'c'].map((body, index) => anEvent({ body, timeMs: noonMs - index })),
    )
    const ids = stored.map(({ id }) => id)

    const newest = await store.since(start.position, { query: allEvents, limit: 2 })
    t.same(bodies(newest), ['b', 'c'])
    t.equal(newest.missed, 1)
    t.equal(newest.lastId, ids[2])
    const all = await store.since(start.position, { query: allEvents, limit: 3 })
    t.same([bodies(all), all.missed], [['a', 'b', 'c'], 0])
    const one = { kind: 'field', field: 'message', comparison: '=', value: 'b' } as const
    const matching = await store.since(start.position, { query: one, limit: 2 })
    t.same(bodies(matching), ['b'])
    t.equal(matching.lastId, ids[2])
    const { lastId, position } = newest
    const nothing = { events: [], missed: 0, lastId, position }
    for (const after of [position, null, 'damaged', '9007199254740991']) {
      t.same(await store.since(after, { query: allEvents, limit: 2 }), nothing, String(after))
    }
    await store.append([anEvent({ body: 'd' })])
    t.same(bodies(await store.since(position, { query: allEvents, limit: 2 })), ['d'])
  })
}

function bodies({ events }: { events: EventRow[] }): string[] {
  return events.map(({ body }) => body)
}
