import t from 'tap'
import { StoreUnavailableError } from '../../store.ts'
import { createIds } from '../engine/ids.ts'
import { maxInsertMs } from '../engine/insert.ts'
import { createRequestClaims } from './request-claims.ts'

/** Creates `RequestClaims` for a database that no other replica uses. */
function makeClaims() {
  const clock = { ms: 0 }
  const ids = createIds(
    () => 0,
    () => 0,
  )
  const claims = { claim: async () => [], release: async () => {} }
  const requestClaims = createRequestClaims({ claims, ids, select: async () => [] }, () => clock.ms)
  return { clock, requestClaims }
}

t.test('an insert may begin only if it will end before the claims on its requests expire', async t => {
  const { clock, requestClaims } = makeClaims()
  t.same(await requestClaims.claim(['one', 'two']), ['new', 'new'])
  requestClaims.confirm(['one', 'two'])
  const lifetimeMs = 1.5 * maxInsertMs
  clock.ms = lifetimeMs - maxInsertMs - 2000
  t.same(await requestClaims.claim(['three']), ['new'])
  requestClaims.confirm(['one', 'two', 'three'])
  clock.ms += 1
  t.throws(() => requestClaims.confirm(['one', 'three']), StoreUnavailableError)
  requestClaims.confirm(['three'])
  t.same(await requestClaims.claim(['one']), ['new'], 'a retry')
  requestClaims.confirm(['one', 'three'])
  t.throws(() => requestClaims.confirm(['two']), StoreUnavailableError)
})

t.test('an insert must not begin if its request was not claimed', async t => {
  const { requestClaims } = makeClaims()
  t.throws(() => requestClaims.confirm(['one']), StoreUnavailableError)
  requestClaims.confirm([])
})
