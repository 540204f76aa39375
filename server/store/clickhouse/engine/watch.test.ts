import t from 'tap'
import { noLease } from './lease.ts'
import { startWatch } from './watch.ts'

t.test('reports the events of other replicas even if the state cannot be read', async t => {
  const newEvents = [false, true]
  const watch = startWatch({
    lease: noLease,
    refreshEvents: async () => newEvents.pop() ?? false,
    refreshState: async () => {
      throw new Error('The database is unavailable')
    },
  })
  t.teardown(watch.stop)
  let reports = 0
  watch.onEvents(() => {
    reports += 1
  })
  await watch.refresh()
  await watch.refresh()
  t.equal(reports, 1)
})
