import t from 'tap'
import { createToken, hashOfToken } from './tokens.ts'

t.test('a token is long, never the same, and kept as a hash only', async t => {
  const kept: unknown[] = []
  const made = await Promise.all(
    ['shop', 'shop'].map(name =>
      createToken(name, { add: async (...given) => void kept.push(given) }, Date.UTC(2026, 10, 21)),
    ),
  )
  const [first, second] = made.map(({ secret }) => secret)
  t.not(first, second)
  for (const { secret, token } of made) {
    t.match(secret, /^sxp_[\w-]{32}$/)
    t.match(token, { name: 'shop', createdMs: Date.UTC(2026, 10, 21) })
    t.notOk(JSON.stringify(kept).includes(secret))
    t.ok(JSON.stringify(kept).includes(hashOfToken(secret)))
  }
})
