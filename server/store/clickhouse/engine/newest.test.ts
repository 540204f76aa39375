import t from 'tap'
import { idAt } from '../../common/time.ts'
import { idsPerReplica } from './ids.ts'
import { openNewest } from './newest.ts'

const idOf = (replica: number, ms: number) => idAt(1_800_000_000_000 + ms) + replica * idsPerReplica

async function open() {
  const stored = [idOf(1, 0)]
  const queries = { count: 0, failing: false }
  let waitFor: Promise<void> = Promise.resolve()
  const newest = await openNewest(
    {
      async select() {
        queries.count += 1
        const found = [...stored]
        await waitFor
        if (queries.failing) throw new Error('Connection lost')
        return found.map(newest_id => ({ newest_id }))
      },
    },
    { observe() {} },
  )
  const setWait = (promise: Promise<void>) => {
    waitFor = promise
  }
  return { newest, stored, queries, setWait }
}

t.test('repeats a refresh that failed, and still reports the new events', async t => {
  const { newest, stored, queries } = await open()
  t.equal(await newest.refresh(), false, 'no new events')
  await newest.ensureCurrent()
  t.equal(queries.count, 2)
  stored.push(idOf(2, 1))
  queries.failing = true
  await t.rejects(newest.refresh(), /Connection lost/)
  await t.rejects(newest.ensureCurrent(), /Connection lost/)
  queries.failing = false
  await newest.ensureCurrent()
  t.ok(newest.ids().includes(idOf(2, 1)))
  t.equal(newest.foreignChanges(), 2)
  t.equal(await newest.refresh(), true)
  t.equal(await newest.refresh(), false)
})

t.test('waits for a refresh that is running', async t => {
  const { newest, stored, queries, setWait } = await open()
  stored.push(idOf(2, 1))
  let respond = () => {}
  setWait(
    new Promise(resolve => {
      respond = resolve
    }),
  )
  const refreshing = newest.refresh()
  const waiting = newest.ensureCurrent()
  t.notOk(newest.ids().includes(idOf(2, 1)))
  respond()
  await waiting
  t.ok(newest.ids().includes(idOf(2, 1)))
  await refreshing
  t.equal(queries.count, 2)
})
