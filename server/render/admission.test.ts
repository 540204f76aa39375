import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { BusyError, createAdmission } from './admission.ts'

const patient = { maxRunning: 1, maxWaiting: 100, maxWaitMs: 60_000 }
const gone = new Error('The visitor disconnected')

/** Opens pages that run until the test ends them, and records the order in which they start. */
function pagesOf(limits: Parameters<typeof createAdmission>[0]) {
  const admission = createAdmission(limits)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const open = (visitor: string, page: string, signal = new AbortController().signal) => {
    const result = admission.run(visitor, signal, () => {
      started.push(page)
      return new Promise<string>(resolve => ends.set(page, () => resolve(page)))
    })
    result.catch(() => {})
    return result
  }
  const end = async (page: string) => {
    ends.get(page)?.()
    await setImmediate()
  }
  return { open, end, started }
}

t.test('runs a few pages at a time, and starts the next when one ends or fails', async t => {
  const { open, end, started } = pagesOf({ ...patient, maxRunning: 2 })
  const all = ['1', '2', '3', '4'].map(page => open('ann', page))
  t.same(started, ['1', '2'])
  await end('2')
  t.same(started, ['1', '2', '3'])
  await end('1')
  await end('3')
  await end('4')
  t.same(await Promise.all(all), ['1', '2', '3', '4'])

  const admission = createAdmission(patient)
  const { signal } = new AbortController()
  await t.rejects(
    admission.run('ann', signal, () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  )
  t.equal(await admission.run('ann', signal, async () => 'next'), 'next')
})

t.test('visitors take turns, even if one of them opens many pages', async t => {
  const { open, end, started } = pagesOf(patient)
  for (const page of ['a1', 'a2', 'a3', 'a4']) void open('ann', page)
  void open('bob', 'b1')
  void open('cleo', 'c1')
  void open('bob', 'b2')
  for (const page of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await end(page)
  t.same(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

t.test('rejects the newest page of the visitor with the most pages when the queue is full', async t => {
  const { open, end, started } = pagesOf({ ...patient, maxWaiting: 3 })
  for (const page of ['a1', 'a2', 'a3']) void open('ann', page)
  const a4 = open('ann', 'a4')
  const b1 = open('bob', 'b1')
  await t.rejects(a4, BusyError)
  const a5 = open('ann', 'a5')
  await t.rejects(a5, BusyError)
  for (const page of ['a1', 'a2', 'b1', 'a3']) await end(page)
  t.equal(await b1, 'b1')
  t.same(started, ['a1', 'a2', 'b1', 'a3'])
})

t.test('if several visitors have the most pages, the one whose turn comes last loses a page', async t => {
  const { open, end, started } = pagesOf({ ...patient, maxWaiting: 2 })
  for (const page of ['a1', 'a2']) void open('ann', page)
  void open('bob', 'b1')
  await t.rejects(open('cleo', 'c1'), BusyError)
  for (const page of ['a1', 'a2', 'b1']) await end(page)
  t.same(started, ['a1', 'a2', 'b1'])
})

t.test('rejects a page that does not start in time, and starts later pages', async t => {
  const { open, end, started } = pagesOf({ ...patient, maxWaitMs: 1 })
  const first = open('ann', 'a1')
  await t.rejects(open('bob', 'b1'), BusyError)
  await end('a1')
  t.equal(await first, 'a1')
  void open('bob', 'b2')
  t.same(started, ['a1', 'b2'])
})

t.test('removes a page from the queue if its visitor disconnects', async t => {
  const { open, end, started } = pagesOf(patient)
  void open('ann', 'a1')
  const controller = new AbortController()
  const waiting = open('bob', 'b1', controller.signal)
  void open('cleo', 'c1')
  controller.abort(gone)
  await t.rejects(waiting, gone)
  await end('a1')
  t.same(started, ['a1', 'c1'])
  await t.rejects(open('bob', 'b2', controller.signal), gone)
})
