import t from 'tap'
import { cacheTokens } from './token-store.ts'

/** Creates a token cache that counts its queries. */
function cacheOf(hashes: string[]) {
  let queries = 0
  let failing = false
  const tokens = cacheTokens({
    list: async () => [],
    add: async (_token, hash) => void hashes.push(hash),
    remove: async id => void hashes.splice(hashes.indexOf(id), 1),
    hashes: async () => {
      queries += 1
      if (failing) throw new Error('The store is unavailable')
      return [...hashes]
    },
  })
  return {
    tokens,
    queryCount: () => queries,
    fail: (is: boolean) => {
      failing = is
    },
  }
}

t.test('checking many tokens queries the store once per change', async t => {
  const { tokens, queryCount } = cacheOf(['a'])
  const tried = await Promise.all(Array.from({ length: 100 }, (_, index) => tokens.has(`guess ${index}`)))
  t.notOk(tried.includes(true))
  t.equal(await tokens.has('a'), true)
  t.equal(queryCount(), 1)
  await tokens.add({ id: '1', name: 'shop', createdMs: 0 }, 'b')
  t.equal(await tokens.has('b'), true)
  t.equal(queryCount(), 2)
})

t.test('a removed token is rejected immediately, even while hashes are being read', async t => {
  const { tokens } = cacheOf(['a'])
  const reading = tokens.has('a')
  await tokens.remove('a')
  await reading
  t.equal(await tokens.has('a'), false)
})

t.test('a failed query is not cached', async t => {
  const { tokens, fail } = cacheOf(['a'])
  fail(true)
  await t.rejects(tokens.has('a'))
  fail(false)
  t.equal(await tokens.has('a'), true)
})
