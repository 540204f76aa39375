import t from 'tap'
import { createByteCache } from './byte-cache.ts'

t.test('keeps what was used last within its bound, and the newest in any case', async t => {
  const cache = createByteCache<string>(text => text.length, 10)
  const ask = (key: string, text = key) => cache.get(key, async () => text)
  await ask('a', 'aaaa')
  await ask('b', 'bbbb')
  t.equal(await ask('a', 'another'), 'aaaa')
  await ask('c', 'cccc')
  t.same(cache.figures(), { hits: 1, misses: 3, bytes: 8 })
  t.equal(await ask('b', 'again'), 'again')
  await ask('d', 'd'.repeat(100))
  t.equal(cache.figures().bytes, 100)
  t.equal(await ask('d', 'again'), 'd'.repeat(100))
})

t.test('loads once for all who ask, and again after a failure', async t => {
  const cache = createByteCache<string>(text => text.length, 10)
  let loads = 0
  const load = async () => {
    loads += 1
    if (loads === 1) throw new Error('no disk')
    return 'a'
  }
  await Promise.all([t.rejects(cache.get('a', load)), t.rejects(cache.get('a', load))])
  t.same(await Promise.all([cache.get('a', load), cache.get('a', load)]), ['a', 'a'])
  t.equal(loads, 2)
})
