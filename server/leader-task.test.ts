import { once } from 'node:events'
import t from 'tap'
import { createLeaderTask } from './leader-task.ts'

/** A lease that tests grant and revoke. */
function fakeReplicas() {
  let lease: AbortController | null = null
  const listeners = new Set<() => void>()
  return {
    lease: () => lease?.signal ?? null,
    onLease: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    give() {
      lease = new AbortController()
      for (const listener of listeners) listener()
    },
    take() {
      lease?.abort()
      lease = null
    },
  }
}

t.test('runs when this replica gets the lease, and only while this replica has the lease', async t => {
  const replicas = fakeReplicas()
  let runs = 0
  let onRun = () => {}
  const task = createLeaderTask({
    replicas,
    onError: () => t.fail('The run failed'),
    async run() {
      runs += 1
      onRun()
    },
  })
  await task.wake()
  t.equal(runs, 0)
  const started = new Promise<void>(resolve => {
    onRun = resolve
  })
  replicas.give()
  await started
  await task.wake()
  t.equal(runs, 2)
  replicas.take()
  await task.wake()
  t.equal(runs, 2)
  await task.stop()
  replicas.give()
  await task.wake()
  t.equal(runs, 2, 'a stopped task does not run')
})

t.test('a run is aborted when the lease is lost, and when the task stops', async t => {
  const replicas = fakeReplicas()
  replicas.give()
  let onStart = () => {}
  const task = createLeaderTask({
    replicas,
    onError: () => t.fail('The run failed'),
    async run(signal) {
      onStart()
      if (!signal.aborted) await once(signal, 'abort')
    },
  })
  for (const end of [replicas.take, () => void task.stop()]) {
    const started = new Promise<void>(resolve => {
      onStart = resolve
    })
    const running = task.wake()
    await started
    end()
    await running
    replicas.give()
  }
})

t.test('runs share a signal while the lease is the same, because Node 20 leaks combined signals', async t => {
  const replicas = fakeReplicas()
  const signals: AbortSignal[] = []
  const task = createLeaderTask({
    replicas,
    onError: () => t.fail('The run failed'),
    run: async signal => void signals.push(signal),
  })
  replicas.give()
  await task.wake()
  await task.wake()
  const [first] = signals
  t.equal(new Set(signals).size, 1)
  replicas.take()
  t.ok(first?.aborted)
  replicas.give()
  await task.wake()
  const last = signals.at(-1)
  t.notOk(last?.aborted)
  await task.stop()
  t.ok(last?.aborted)
})
