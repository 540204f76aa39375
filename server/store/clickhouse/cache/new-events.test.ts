import t from 'tap'
import type { LogEvent } from '../../../../shared/event.ts'
import { grainUs, type TimesUs } from '../../common/metrics/times.ts'
import type { Row } from '../../common/rows.ts'
import type { Sql } from '../../common/sql.ts'
import { idAt } from '../../common/time.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { emptyState } from '../../state/state.ts'
import { idsPerReplica } from '../engine/ids.ts'
import { createNewEvents } from './new-events.ts'

/** The id of an event that a replica stores some milliseconds after noon. */
function idOf(replica: number, ms: number): number {
  return idAt(noonMs + ms) + replica * idsPerReplica
}

function stored(replica: number, ms: number): LogEvent {
  return { ...anEvent(), id: idOf(replica, ms) }
}

function rowOf({ id }: LogEvent): Row {
  return {
    ...{ ids: [id], times: [noonMs * 1000], bins: [0], attribute_keys: [], service: 'shop', release: null },
    ...{ fingerprint: null, method: null, route: null, duration_band: null, failed: null },
  }
}

/** This replica has the number 0. `rows` returns the events that a query finds. */
function follow(rows: () => Promise<LogEvent[]> = async () => []) {
  const state = emptyState()
  const seen: number[] = []
  const calls = { queries: 0, changes: 0, refreshes: 0, periods: [] as TimesUs[] }
  const newestIds = new Map([[0, idOf(0, 0)]])
  const newEvents = createNewEvents(
    {
      async select(query: Sql) {
        calls.queries += 1
        const isOfPeriods = query.texts.join('').includes('DISTINCT')
        return isOfPeriods ? [{ grain: 7 }] : (await rows()).map(rowOf)
      },
      newest: {
        ids: () => [...newestIds.values()],
        async ensureCurrent() {
          calls.refreshes += 1
        },
      },
      readCached: async work => work(state),
    },
    {
      onEvents: events => seen.push(...events.map(({ id }) => id)),
      onPeriods: periods => calls.periods.push(...periods),
      onChange() {
        calls.changes += 1
      },
    },
  )
  const append = (...events: LogEvent[]) => {
    newestIds.set(0, events.at(-1)?.id ?? 0)
    newEvents.add(events)
  }
  return { ...newEvents, append, seen, calls, newestIds, state }
}

t.test('adds events of this replica without a query', async t => {
  const first = stored(0, 1)
  const { read, append, seen, calls } = follow(async () => [first])
  append(first)
  await read()
  t.equal(calls.queries, 1, 'the number of the replica may have belonged to another one')
  append(stored(0, 2), stored(0, 3))
  append(stored(0, 4))
  await read()
  t.same(
    seen,
    [1, 2, 3, 4].map(ms => idOf(0, ms)),
  )
  t.equal(calls.queries, 1)
})

t.test('reads events that the previous owner of its number stored', async t => {
  const previous = stored(3, 1)
  const own = stored(3, 2)
  const { read, append, seen, newestIds } = follow(async () => [previous, own])
  newestIds.set(3, previous.id)
  append(stored(0, 1))
  newestIds.set(3, own.id)
  append(own)
  await read()
  t.ok(seen.includes(previous.id) && seen.includes(own.id))
})

t.test('reads events that were stored although storing them failed', async t => {
  const lost = stored(0, 2)
  const next = stored(0, 3)
  let rows = [stored(0, 1)]
  const { read, append, addUnknown, seen } = follow(async () => rows)
  append(stored(0, 1))
  await read()
  addUnknown()
  append(next)
  rows = [lost, next]
  await read()
  t.same(seen.slice(1), [lost.id, next.id])
})

t.test('reads events of other replicas once', async t => {
  const foreign = [stored(1, 1), stored(1, 2)]
  const { read, seen, calls, newestIds } = follow(async () => foreign)
  newestIds.set(1, idOf(1, 2))
  await Promise.all([read(), read()])
  await read()
  t.same(
    seen,
    foreign.map(({ id }) => id),
  )
  t.equal(calls.queries, 1)
})

t.test('reads a large batch, and the batches after it, when they are needed', async t => {
  const large = Array.from({ length: 101 }, (_, index) => stored(0, 1 + index))
  const next = stored(0, 200)
  const { read, append, seen, calls } = follow(async () => [...large, next])
  append(...large)
  append(next)
  t.same(seen, [])
  await read()
  t.same(
    seen,
    [...large, next].map(({ id }) => id),
  )
  append(stored(0, 201))
  await read()
  t.equal(seen.at(-1), idOf(0, 201))
  t.equal(calls.queries, 1)
})

t.test('adds a batch that is stored during a query once', async t => {
  const [first, own, later, foreign] = [stored(0, 1), stored(0, 5), stored(0, 6), stored(1, 1)]
  let isFirst = true
  const follower = follow(async () => {
    if (isFirst) return [first]
    // The query was sent after the batch had been stored, but before it was added.
    follower.append(own)
    follower.append(later)
    return [foreign, own]
  })
  const { read, append, seen, newestIds } = follower
  append(first)
  await read()
  isFirst = false
  newestIds.set(1, foreign.id)
  newestIds.set(0, own.id)
  await read()
  t.same(seen.toSorted(), [first, own, later, foreign].map(({ id }) => id).toSorted())
})

t.test('reads the events again after a query failed', async t => {
  let fails = true
  const foreign = stored(1, 1)
  const own = stored(0, 5)
  const follower = follow(async () => {
    if (fails) throw new Error('Connection lost')
    return [foreign, own]
  })
  const { read, append, seen, newestIds } = follower
  newestIds.set(1, foreign.id)
  await t.rejects(read(), /Connection lost/)
  append(own)
  fails = false
  await read()
  t.same(seen.toSorted(), [own.id, foreign.id].toSorted())
})

t.test('reads only the periods of many events, and starts again if stored events have changed', async t => {
  let rows = Array.from({ length: 20_001 }, (_, index) => stored(1, 1 + index))
  const { read, seen, calls, newestIds, state } = follow(async () => rows)
  newestIds.set(1, rows.at(-1)?.id ?? 0)
  await read()
  t.same(seen, [])
  t.same(calls.periods, [{ fromUs: 7 * grainUs, toUs: 8 * grainUs }])
  rows = [stored(1, 30_000)]
  newestIds.set(1, idOf(1, 30_000))
  await read()
  t.same(seen, [idOf(1, 30_000)])
  t.equal(calls.changes, 0)
  state.eventChanges.set('newest', 'a')
  await read()
  await read()
  t.equal(calls.changes, 1)
  t.equal(calls.refreshes, 4, 'each time')
})

t.test('calls at the same time share a read', async t => {
  const { read, calls, newestIds } = follow(async () => [stored(1, 1)])
  newestIds.set(1, idOf(1, 1))
  await Promise.all([read(), read(), read()])
  t.equal(calls.refreshes, 1)
})
