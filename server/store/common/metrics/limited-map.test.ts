import t from 'tap'
import { createLimitedMap } from './limited-map.ts'

function counts(max: number) {
  const map = createLimitedMap<{ key: string; count: number }>(max, (a, b) => b.count - a.count)
  return { ...map, finder: (key: string) => map.finder(key, () => ({ key, count: 0 })) }
}

t.test('above the limit, discards the less important half', async t => {
  const map = counts(4)
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) map.finder(key)().count += index
  t.equal(map.values().length, 4)
  map.finder('e')().count += 1
  t.same(map.values(), [
    { key: 'd', count: 3 },
    { key: 'c', count: 2 },
    { key: 'e', count: 1 },
  ])
})

t.test('an important value remains, however many others follow; a discarded one can return', async t => {
  const map = counts(10)
  const important = map.finder('important')
  const late = map.finder('late')
  important().count += 5
  for (let index = 0; index < 1000; index += 1) {
    map.finder(`id-${index}`)().count += 1
    t.ok(map.values().length <= 10)
    if (index % 100 === 0) important().count += 1
  }
  late().count += 50
  late().count += 50
  const found = map.values().filter(({ count }) => count > 1)
  t.same(found, [
    { key: 'important', count: 15 },
    { key: 'late', count: 100 },
  ])
})
