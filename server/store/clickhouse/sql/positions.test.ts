import fc from 'fast-check'
import t from 'tap'
import { idAt } from '../../common/time.ts'
import { between, positionAt, replicaOf, settledMs } from './positions.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)

/** The ids of events from three replicas, whose clocks may differ by more than `settledMs`. */
const eventIds = fc.uniqueArray(
  fc
    .tuple(fc.nat({ max: 3 * settledMs }), fc.nat({ max: 2 }), fc.nat({ max: 63 }))
    .map(([ms, replica, place]) => idAt(nowMs + ms) + replica * 64 + place),
  { minLength: 1, maxLength: 30 },
)

/** Returns the position after all of these events: the newest id of each replica. */
function positionOf(ids: readonly number[]): number[] {
  const newest = new Map<number, number>()
  for (const id of ids) newest.set(replicaOf(id), Math.max(id, newest.get(replicaOf(id)) ?? 0))
  return [...newest.values()]
}

/** Whether the condition selects an id. Evaluates it as JavaScript. */
function selects(condition: ReturnType<typeof between>, id: number): boolean {
  if (condition === null) return false
  const { texts, values } = condition
  const text = texts.map((each, index) => each + (values[index] ?? '')).join('')
  const script = text
    .replaceAll(/bitAnd\(bitShiftRight\(id, 6\), 63\) = (\d+)/g, `${replicaOf(id)} === $1`)
    .replaceAll(
      /bitAnd\(bitShiftRight\(id, 6\), 63\) NOT IN \(([\d, ]+)\)/g,
      `![$1].includes(${replicaOf(id)})`,
    )
    .replaceAll(/\bid\b/g, String(id))
    .replaceAll(' AND ', ' && ')
    .replaceAll(' OR ', ' || ')
  return new Function(`return ${script}`)() === true
}

t.test('each event is between exactly one pair of successive positions', async () => {
  // The events of a replica become visible in the order of their ids, but those of different replicas in any order.
  const batches = fc.tuple(eventIds, fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 40 }))
  fc.assert(
    fc.property(batches, ([ids, order]) => {
      const waiting = [0, 1, 2].map(replica =>
        ids.filter(id => replicaOf(id) === replica).sort((a, b) => a - b),
      )
      const visible: number[] = []
      const positions = [[0]]
      for (const replica of [...order, ...ids.map(replicaOf)]) {
        const next = waiting[replica]?.shift()
        if (next === undefined) continue
        // The first insert of a replica takes less time than `settledMs`.
        const isListed = visible.some(id => replicaOf(id) === replica)
        if (!isListed && visible.some(id => id - next >= settledMs * 4096)) return true
        visible.push(next)
        positions.push(positionOf(visible))
      }
      return visible.every(id => {
        const found = positions
          .slice(1)
          .filter((upTo, index) => selects(between(positions[index] ?? [0], upTo), id))
        return found.length === 1
      })
    }),
  )
})

t.test('a position at an id precedes all events with greater ids, and no others', async () => {
  fc.assert(
    fc.property(eventIds, fc.nat(), (ids, choice) => {
      const upTo = positionOf(ids)
      const last = ids[choice % ids.length] ?? 0
      const rest = between(positionAt(last, [0], upTo), upTo)
      return ids.every(id => selects(rest, id) === id > last)
    }),
  )
})

t.test('no event is between a position and an equal or earlier one', async t => {
  const ids = [idAt(nowMs) + 64, idAt(nowMs + 5)]
  t.equal(between(ids, ids), null)
  t.equal(
    between(
      ids.map(id => id + 4096),
      ids,
    ),
    null,
  )
})

t.test('a replica whose last event is old does not make queries read old events', async t => {
  const [old, recent] = [idAt(nowMs - 1000 * settledMs), idAt(nowMs) + 64]
  const condition = between([old, recent], [old, recent + 1])
  t.equal(condition?.values[0], recent, 'the first condition')
})
