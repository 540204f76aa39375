import t from 'tap'
import { nextPoint } from './next-point.ts'

const at = (x: number, y: number) => ({ x, y, text: `${x} ${y}` })
const map = [at(0, 0), at(2, 0), at(1, 1), at(2, 1), at(2, 3)]
const walk = (points: ReturnType<typeof at>[], from: string | null, key: string) =>
  nextPoint(points, points.find(({ text }) => text === from) ?? null, key)?.text ?? null

t.test('the first key press selects the lowest point in the newest column', async t => {
  t.equal(walk(map, null, 'ArrowLeft'), '2 3')
  t.equal(walk([], null, 'ArrowLeft'), null)
})

t.test('left and right select the nearest cell in the next column; up and down skip empty cells', async t => {
  t.equal(walk(map, '2 0', 'ArrowLeft'), '1 1')
  t.equal(walk(map, '1 1', 'ArrowLeft'), '0 0')
  t.equal(walk(map, '1 1', 'ArrowRight'), '2 1')
  t.equal(walk(map, '2 3', 'ArrowUp'), '2 1')
  t.equal(walk(map, '2 1', 'ArrowDown'), '2 3')
  t.equal(walk(map, '2 3', 'Home'), '0 0')
  t.equal(walk(map, '0 0', 'End'), '2 0')
})

t.test('does not move beyond the ends', async t => {
  t.equal(walk(map, '0 0', 'ArrowLeft'), '0 0')
  t.equal(walk(map, '2 3', 'ArrowDown'), '2 3')
  t.equal(walk(map, '2 0', 'ArrowRight'), '2 0')
})

t.test('ignores other keys, and up and down if there is only one row', async t => {
  t.equal(walk(map, '2 0', 'x'), null)
  t.equal(walk([at(0, 0), at(1, 0)], '0 0', 'ArrowDown'), null)
  t.equal(walk([at(0, 0), at(1, 0)], '0 0', 'ArrowRight'), '1 0')
})
