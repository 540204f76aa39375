import t from 'tap'
import { createToken, hashOfToken } from './tokens.ts'

t.test('tokens are long, unique and stored only as hashes', async t => {
  const stored: unknown[] = []
  const created = await Promise.all(
    ['shop', 'shop'].map(name =>
      createToken(
        { name, scopes: ['read'], services: ['a'], expiresMs: 1 },
        { add: async (...args) => void stored.push(args) },
        Date.UTC(2026, 10, 21),
      ),
    ),
  )
  const [first, second] = created.map(({ secret }) => secret)
  t.not(first, second)
  for (const { secret, token } of created) {
    t.match(secret, /^sxp_[\w-]{32}$/)
    t.match(token, {
      name: 'shop',
      createdMs: Date.UTC(2026, 10, 21),
      scopes: ['read'],
      services: ['a'],
      expiresMs: 1,
    })
    t.notOk(JSON.stringify(stored).includes(secret))
    t.ok(JSON.stringify(stored).includes(hashOfToken(secret)))
  }
})
