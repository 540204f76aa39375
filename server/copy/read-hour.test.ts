import t from 'tap'
import { idsOfHour } from '../store/common/accepted-hour.ts'
import { noonMs } from '../store/conformance/testing.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import { QueryLimitError } from '../store/store.ts'
import { type Reads, readBatches, readPages } from './read-hour.ts'
import { eventsWithIds, notAborted } from './testing.ts'

const ids = idsOfHour(noonMs)

/** Stores events of 26 KB each. A query fails if its result contains more than `maxEvents` events. */
async function limitedStore(count: number, maxEvents: number) {
  const offsets = Array.from({ length: count }, (_, index) => index)
  const events = eventsWithIds(offsets, { attributes: { text: 'x'.repeat(26_000) } })
  const store = openMemoryStore()
  await store.importEvents(events)
  let refused = 0
  const reads: Reads = {
    pageEnds: store.pageEnds,
    async eventsInIds(range, signal) {
      const found = await store.eventsInIds(range, signal)
      if (found.length <= maxEvents) return found
      refused += 1
      throw new QueryLimitError('The result of the query is too large')
    },
  }
  return { stored: events.map(({ id }) => id), reads, refused: () => refused }
}

async function readAll(reads: Reads): Promise<number[]> {
  const read: number[] = []
  for await (const page of readPages(reads, ids, notAborted)) read.push(...page.map(({ id }) => id))
  return read
}

t.test('reads fewer events at a time if their attributes are long', async t => {
  const { stored, reads, refused } = await limitedStore(5500, 1000)
  t.strictSame(await readAll(reads), stored)
  t.equal(refused(), 0)
  for await (const batch of readBatches(reads, ids, notAborted)) t.ok(batch.length <= 1000)
})

t.test('reads parts of a page if the result of a query is too large', async t => {
  for (const maxEvents of [300, 1]) {
    const { stored, reads, refused } = await limitedStore(1200, maxEvents)
    t.strictSame(await readAll(reads), stored)
    t.ok(refused() > 0)
  }
})

t.test('fails if a single event is too large, and does not retry after other errors', async t => {
  const { reads } = await limitedStore(2, 0)
  await t.rejects(readAll(reads), QueryLimitError)
  let queries = 0
  const failing: Reads = {
    ...reads,
    async eventsInIds() {
      queries += 1
      throw new TypeError('Another error')
    },
  }
  await t.rejects(readAll(failing), { message: 'Another error' })
  t.equal(queries, 1)
})
