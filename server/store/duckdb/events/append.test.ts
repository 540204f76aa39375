import t from 'tap'
import type { LogEvent } from '../../../../shared/event.ts'
import { anEvent } from '../../conformance/testing.ts'
import { chunksOf, maxChunkLength, maxChunkRows } from './append.ts'

const eventsOf = (count: number, note: string): LogEvent[] =>
  Array.from({ length: count }, (_, id) => ({ ...anEvent({ attributes: { note } }), id }))

t.test('limits the rows and the text of each chunk', async t => {
  const short = eventsOf(2 * maxChunkRows + 1, '')
  const chunks = [...chunksOf(short)]
  t.same(
    chunks.map(({ events }) => events.length),
    [maxChunkRows, maxChunkRows, 1],
  )
  t.same(
    chunks.flatMap(({ events }) => events),
    short,
  )

  const long = eventsOf(4, 'x'.repeat(maxChunkLength / 2))
  t.same(
    [...chunksOf(long)].map(({ events }) => events.length),
    [2, 2],
  )
  t.same([...chunksOf([])], [])
})
