import t from 'tap'
import { authorizationHeaders } from './authorization.ts'

t.test('a token takes precedence over a password', async t => {
  t.same(authorizationHeaders('sxp_abc-DEF', 'secret'), { authorization: 'Bearer sxp_abc-DEF' })
  t.same(authorizationHeaders(undefined, 'größer'), { authorization: 'Basic Omdyw7bDn2Vy' })
  t.same(authorizationHeaders(undefined, undefined), {})
})

t.test('rejects a token that cannot be sent, without printing it', async t => {
  for (const token of ['sxp_…', 'sxp_a\nb']) {
    t.throws(() => authorizationHeaders(token, undefined), {
      name: 'UsageError',
      message: /^the token contains invalid characters: create a new one/,
    })
  }
})
