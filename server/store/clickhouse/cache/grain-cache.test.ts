import t from 'tap'
import { anEvent } from '../../conformance/testing.ts'
import { QueryLimitError } from '../../store.ts'
import { type CachedEvent, cachedEvent } from './cached-event.ts'
import { createGrainCache, type GrainReader } from './grain-cache.ts'

const grainUs = 1000

function at(timeUs: number): CachedEvent {
  return { ...cachedEvent({ ...anEvent(), id: timeUs }), timeUs }
}

/** Reads how many events each grain contains. `stored` are the times of the stored events. */
function countingReader(
  stored: readonly number[],
  reads: [number, number][] = [],
): GrainReader<{ count: number }> {
  return {
    grainUs,
    maxGrains: 3,
    async read(first, end) {
      reads.push([first, end])
      const grains = new Map<number, { count: number }>()
      for (const timeUs of stored) {
        const grain = Math.floor(timeUs / grainUs)
        if (grain < first || grain >= end) continue
        grains.set(grain, { count: (grains.get(grain)?.count ?? 0) + 1 })
      }
      return grains
    },
    empty: () => ({ count: 0 }),
    add: () => null,
    bytesOf: () => 1,
  }
}

const window = [{ fromUs: 500, toUs: 6001 }]

t.test('reads each grain once, in runs of limited length', async t => {
  const reads: [number, number][] = []
  const cache = createGrainCache(countingReader([700, 6000, 6100], reads), 1000)
  await cache.get([{ fromUs: 1000, toUs: 2000 }])
  const grains = await cache.get(window)
  t.same([...(grains ?? [])].map(([grain, { count }]) => [grain, count]).sort(), [
    [0, 1],
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 0],
    [5, 0],
    [6, 2],
  ])
  t.same(reads, [
    [1, 2],
    [0, 1],
    [2, 5],
    [5, 7],
  ])
  await cache.get(window)
  t.equal(reads.length, 4)
})

t.test('reads a grain again after an event in it has been stored', async t => {
  const stored = [700]
  const cache = createGrainCache(countingReader(stored), 1000)
  await cache.get(window)
  stored.push(800, 1200)
  cache.add([at(800), at(1200)])
  const grains = await cache.get(window)
  t.same(
    [0, 1, 2].map(grain => grains?.get(grain)?.count),
    [2, 1, 0],
  )
})

t.test('does not keep a grain if an event in it was stored during the read', async t => {
  const stored = [700]
  const { read, ...reader } = countingReader(stored)
  let isFirst = true
  const cache = createGrainCache(
    {
      ...reader,
      async read(first, end) {
        const found = await read(first, end)
        if (isFirst) {
          stored.push(800)
          cache.add([at(800)])
        }
        isFirst = false
        return found
      },
    },
    1000,
  )
  t.equal((await cache.get(window))?.get(0)?.count, 1)
  t.equal((await cache.get(window))?.get(0)?.count, 2)
})

t.test('adds events to a grain if the reader can, also during a read', async t => {
  const reads: [number, number][] = []
  const reader = countingReader([700], reads)
  const cache = createGrainCache(
    {
      ...reader,
      async read(first, end) {
        cache.add([at(900)])
        return reader.read(first, end)
      },
      add: ({ count }, events) => ({ count: count + events.length }),
    },
    1000,
  )
  const one = [{ fromUs: 0, toUs: 1000 }]
  t.equal((await cache.get(one))?.get(0)?.count, 2)
  cache.add([at(950), at(951)])
  t.equal((await cache.get(one))?.get(0)?.count, 4)
  t.equal(reads.length, 1)
})

t.test('returns null for grains that are too large, and does not read them again', async t => {
  const reads: [number, number][] = []
  const reader = countingReader([700], reads)
  const cache = createGrainCache(
    {
      ...reader,
      async read(first, end) {
        const found = await reader.read(first, end)
        return first < 3 ? null : found
      },
    },
    1000,
  )
  t.equal(await cache.get(window), null)
  t.equal(await cache.get([{ fromUs: 1000, toUs: 2000 }]), null)
  t.equal(reads.length, 1)
  t.ok(await cache.get([{ fromUs: 3000, toUs: 4000 }]))
})

t.test('reads grains again after an error', async t => {
  const reader = countingReader([700])
  let fails = true
  const cache = createGrainCache(
    {
      ...reader,
      async read(first, end) {
        if (fails) throw new Error('Connection lost')
        return reader.read(first, end)
      },
    },
    1000,
  )
  await t.rejects(cache.get(window), /Connection lost/)
  fails = false
  t.equal((await cache.get(window))?.get(0)?.count, 1)
})

t.test('returns null for a window with too many grains', async t => {
  const cache = createGrainCache(countingReader([]), 1000)
  t.equal(await cache.get([{ fromUs: 0, toUs: 1e12 }]), null)
})

t.test('stops reading when the values are too much', async t => {
  const reads: [number, number][] = []
  const cache = createGrainCache(countingReader([100, 3100, 3200], reads), 1000)
  const isTooMuch = (values: Iterable<{ count: number }>) =>
    [...values].reduce((sum, { count }) => sum + count, 0) > 1
  t.equal(await cache.get(window, { isTooMuch }), null)
  t.same(reads, [
    [0, 3],
    [3, 6],
  ])
  t.equal(await cache.get(window, { isTooMuch }), null)
  t.equal(reads.length, 2, 'the cached values are already too much')
})

t.test('reads grains again after unknown events have been stored, also during a read', async t => {
  const stored = [700]
  const reader = countingReader(stored)
  let isFirst = true
  const cache = createGrainCache(
    {
      ...reader,
      async read(first, end) {
        const found = await reader.read(first, end)
        if (isFirst) {
          stored.push(800)
          cache.discard({ fromUs: 0, toUs: 1000 })
        }
        isFirst = false
        return found
      },
    },
    1000,
  )
  const one = [{ fromUs: 0, toUs: 1000 }]
  t.equal((await cache.get(one))?.get(0)?.count, 1)
  t.equal((await cache.get(one))?.get(0)?.count, 2)
  stored.push(900)
  cache.discard({ fromUs: 0, toUs: 1000 })
  t.equal((await cache.get(one))?.get(0)?.count, 3)
})

t.test('a failed read fails all pages that wait for it', async t => {
  const reads: [number, number][] = []
  const reader = countingReader([700], reads)
  const cache = createGrainCache(
    {
      ...reader,
      async read(first, end) {
        await reader.read(first, end)
        throw new Error('Connection lost')
      },
    },
    1000,
  )
  const waiting = await Promise.allSettled([cache.get(window), cache.get(window), cache.get(window)])
  t.same(
    waiting.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  t.equal(reads.length, 1)
})

t.test('if a visitor leaves, only their own page stops waiting', async t => {
  const visitor = new AbortController()
  const reader = countingReader([700])
  const cache = createGrainCache(
    {
      ...reader,
      async read(first, end, signal) {
        const found = await reader.read(first, end)
        if (signal === visitor.signal) visitor.abort()
        signal?.throwIfAborted()
        return found
      },
    },
    1000,
  )
  const waiting = await Promise.allSettled([
    cache.get(window, { signal: visitor.signal }),
    cache.get(window, { signal: new AbortController().signal }),
    cache.get(window, { signal: visitor.signal }),
  ])
  t.match(waiting, [
    { status: 'rejected', reason: { name: 'AbortError' } },
    { status: 'fulfilled' },
    { status: 'rejected', reason: { name: 'AbortError' } },
  ])
})

t.test('a result that exceeds a limit of the query is too large', async t => {
  const cache = createGrainCache(
    {
      ...countingReader([]),
      read: () => Promise.reject(new QueryLimitError('The query reads too many rows')),
    },
    1000,
  )
  await t.rejects(cache.get(window), /too many rows/)
  t.equal(await cache.get(window), null)
})
