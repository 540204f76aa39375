import t from 'tap'
import { knownTokens } from './token-store.ts'

/** Tokens that another process changes behind the back of this one. */
function tokensOf(hashes: string[]) {
  let asked = 0
  let nowMs = 0
  let failing = false
  const tokens = knownTokens(
    {
      list: async () => [],
      add: async (_token, hash) => void hashes.push(hash),
      remove: async id => void hashes.splice(hashes.indexOf(id), 1),
      hashes: async () => {
        asked += 1
        if (failing) throw new Error('The store is away')
        return [...hashes]
      },
    },
    () => nowMs,
  )
  return {
    tokens,
    asked: () => asked,
    pass: (ms: number) => {
      nowMs += ms
    },
    fail: (is: boolean) => {
      failing = is
    },
  }
}

t.test('asks the store once in a while, however many tokens are tried', async t => {
  const { tokens, asked, pass } = tokensOf(['a'])
  const tried = await Promise.all(Array.from({ length: 100 }, (_, index) => tokens.has(`guess ${index}`)))
  t.notOk(tried.includes(true))
  t.equal(await tokens.has('a'), true)
  t.equal(asked(), 1)
  pass(60_000)
  await tokens.has('a')
  t.equal(asked(), 2)
})

t.test('takes what another process changed after some seconds', async t => {
  const hashes = ['a']
  const { tokens, pass } = tokensOf(hashes)
  t.equal(await tokens.has('a'), true)
  hashes.splice(0, 1, 'b')
  pass(10_000)
  t.equal(await tokens.has('a'), false)
  t.equal(await tokens.has('b'), true)
})

t.test('a removal counts from the moment that it is done, also for what was being read', async t => {
  const { tokens } = tokensOf(['a'])
  const reading = tokens.has('a')
  await tokens.remove('a')
  await reading
  t.equal(await tokens.has('a'), false)
})

t.test('an outage is not remembered', async t => {
  const { tokens, fail } = tokensOf(['a'])
  fail(true)
  await t.rejects(tokens.has('a'))
  fail(false)
  t.equal(await tokens.has('a'), true)
})
