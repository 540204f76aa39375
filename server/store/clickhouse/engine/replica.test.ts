import t from 'tap'
import { until } from '../../../../shared/testing/until.ts'
import { joinReplicas } from './replica.ts'

t.test('a replica that has released its number takes another one before it stores events', async t => {
  const others = new Set<string>()
  let releases = 0
  const claims = {
    claim: async (names: readonly string[]) =>
      names.filter(name => others.has(name)).map(name => ({ name, owner: 'other', isLive: true })),
    async release() {
      releases += 1
    },
    live: async () => others,
  }
  const replica = await joinReplicas(claims, 1)
  t.teardown(replica.release)
  t.equal(replica.number(), 0)
  // The number's previous owner, which was paused, renews its claim once more.
  others.add('replica 0')
  await until(() => releases > 0)
  await replica.confirm()
  t.equal(replica.number(), 1)
})
