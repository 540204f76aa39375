import t from 'tap'
import { blockEvents } from './block.ts'
import type { BlockFilter } from './block-filter.ts'
import { candidatesIn } from './candidates.ts'

const segment = { firstId: 1, lastId: 40, events: 40 }
const newest = Number.POSITIVE_INFINITY

function block(afterId: number, lastId: number): BlockFilter {
  return { afterId, lastId, message: null, exception: null, context: null, ids: null, long: null }
}

t.test('merges adjacent blocks, and leaves out the blocks that cannot match', t => {
  const filters = [block(0, 10), block(10, 20), block(20, 30), block(30, 40)]
  const { ranges, unfiltered } = candidatesIn(segment, filters, ({ lastId }) => lastId !== 30)
  t.same(ranges, [
    { afterId: 0, lastId: 20 },
    { afterId: 30, lastId: 40 },
  ])
  t.equal(unfiltered, null)
  t.end()
})

t.test('reads events without a filter, wherever the filters end', t => {
  t.same(candidatesIn(segment, [], null).unfiltered, { afterId: 0, lastId: newest })
  t.same(candidatesIn(segment, [block(0, 10)], null).unfiltered, { afterId: 10, lastId: newest })
  t.end()
})

t.test('after a gap in the filters, all events are read', t => {
  const { ranges, unfiltered } = candidatesIn(segment, [block(0, 10), block(20, 40)], () => false)
  t.same(ranges, [])
  t.same(unfiltered, { afterId: 10, lastId: newest })
  t.end()
})

t.test('a filter that was stored twice selects events only once', t => {
  const { ranges } = candidatesIn(segment, [block(0, 20), block(0, 20), block(20, 40)], null)
  t.same(ranges, [{ afterId: 0, lastId: 40 }])
  t.end()
})

t.test('leaves out blocks whose events were deleted', t => {
  const { ranges } = candidatesIn(
    { firstId: 11, lastId: 20, events: 10 },
    [block(0, 10), block(10, 20)],
    null,
  )
  t.same(ranges, [{ afterId: 10, lastId: 20 }])
  t.end()
})

t.test('estimates how many events may match', t => {
  const filters = [block(0, 10), block(10, 20), block(20, 30)]
  const large = { firstId: 1, lastId: 40, events: 4 * blockEvents }
  t.equal(candidatesIn(large, filters, ({ lastId }) => lastId === 20).maxEvents, 2 * blockEvents)
  t.equal(candidatesIn(large, [], null).maxEvents, 4 * blockEvents)
  t.equal(candidatesIn(segment, filters, () => true).maxEvents, 40)
  t.end()
})
