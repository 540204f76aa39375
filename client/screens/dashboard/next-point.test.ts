import t from 'tap'
import { nextPoint } from './next-point.ts'

const at = (x: number, y: number) => ({ x, y, text: `${x} ${y}` })
const map = [at(0, 0), at(2, 0), at(1, 1), at(2, 1), at(2, 3)]
const walk = (points: ReturnType<typeof at>[], from: string | null, key: string) =>
  nextPoint(points, points.find(({ text }) => text === from) ?? null, key)?.text ?? null

t.test('the first key leads to the newest point, the lowest of its column', async t => {
  t.equal(walk(map, null, 'ArrowLeft'), '2 3')
  t.equal(walk([], null, 'ArrowLeft'), null)
})

t.test(
  'left and right lead to the nearest cell of the next column, up and down pass over empty ones',
  async t => {
    t.equal(walk(map, '2 0', 'ArrowLeft'), '1 1')
    t.equal(walk(map, '1 1', 'ArrowLeft'), '0 0')
    t.equal(walk(map, '1 1', 'ArrowRight'), '2 1')
    t.equal(walk(map, '2 3', 'ArrowUp'), '2 1')
    t.equal(walk(map, '2 1', 'ArrowDown'), '2 3')
    t.equal(walk(map, '2 3', 'Home'), '0 0')
    t.equal(walk(map, '0 0', 'End'), '2 0')
  },
)

t.test('at an end nothing moves', async t => {
  t.equal(walk(map, '0 0', 'ArrowLeft'), '0 0')
  t.equal(walk(map, '2 3', 'ArrowDown'), '2 3')
  t.equal(walk(map, '2 0', 'ArrowRight'), '2 0')
})

t.test('other keys are left to the page, as are up and down where there is one row', async t => {
  t.equal(walk(map, '2 0', 'x'), null)
  t.equal(walk([at(0, 0), at(1, 0)], '0 0', 'ArrowDown'), null)
  t.equal(walk([at(0, 0), at(1, 0)], '0 0', 'ArrowRight'), '1 0')
})
