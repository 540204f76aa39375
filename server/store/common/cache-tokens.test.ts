import t from 'tap'
import type { StoredToken } from '../token-store.ts'
import { cacheTokens } from './cache-tokens.ts'

function tokenWith(hash: string): StoredToken {
  const unlimited = { scopes: ['ingest'], services: null, expiresMs: null, usedMs: null } as const
  return { id: hash, name: hash, createdMs: 0, hash, ...unlimited }
}

/** Creates a token cache that counts its queries. */
function cacheOf(stored: StoredToken[]) {
  let queries = 0
  let failing = false
  const tokens = cacheTokens({
    list: async () => {
      queries += 1
      if (failing) throw new Error('The store is unavailable')
      return [...stored]
    },
    add: async (token, hash) => void stored.push({ ...token, hash, usedMs: null }),
    remove: async id =>
      void stored.splice(
        stored.findIndex(token => token.id === id),
        1,
      ),
    recordUse: async () => {},
  })
  return {
    has: async (hash: string) => (await tokens.byHash()).has(hash),
    tokens,
    queryCount: () => queries,
    fail: (is: boolean) => {
      failing = is
    },
  }
}

t.test('checking many tokens queries the store once per change', async t => {
  const { tokens, has, queryCount } = cacheOf([tokenWith('a')])
  const tried = await Promise.all(Array.from({ length: 100 }, (_, index) => has(`guess ${index}`)))
  t.notOk(tried.includes(true))
  t.equal(await has('a'), true)
  const before = await tokens.byHash()
  await tokens.recordUse(new Map([['a', 1]]))
  t.equal(await tokens.byHash(), before, 'recording the use of a token is not a change')
  t.equal(queryCount(), 1)
  await tokens.add(tokenWith('b'), 'b')
  t.equal(await has('b'), true)
  t.equal(queryCount(), 2)
})

t.test('a removed token is rejected immediately, even while tokens are being read', async t => {
  const { tokens, has } = cacheOf([tokenWith('a')])
  const reading = has('a')
  await tokens.remove('a')
  await reading
  t.equal(await has('a'), false)
})

t.test('a failed query is not cached', async t => {
  const { has, fail } = cacheOf([tokenWith('a')])
  fail(true)
  await t.rejects(has('a'))
  fail(false)
  t.equal(await has('a'), true)
})
