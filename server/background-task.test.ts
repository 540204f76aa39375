import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import t from 'tap'
import { createBackgroundTask } from './background-task.ts'

/** Waits until the callbacks of all settled promises have run. */
const turn = () => new Promise<void>(resolve => setImmediate(resolve))

t.test('runs never overlap, a run follows each wake-up, and no run starts after stop', async t => {
  const step = fc.constantFrom('wake', 'wakeIn', 'finish', 'fail', 'stop')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const log = { started: 0, inProgress: 0, errors: 0, failures: 0, isStopping: false }
      let finish = (_error?: Error) => {}
      const task = createBackgroundTask({
        run: () => {
          if (log.inProgress > 0) throw new Error('Two runs overlap')
          if (log.isStopping) throw new Error('A run started after stop')
          log.started += 1
          log.inProgress += 1
          return new Promise((resolve, reject) => {
            finish = error => {
              finish = () => {}
              log.inProgress -= 1
              if (error === undefined) resolve()
              else reject(error)
            }
          })
        },
        onError: error => {
          if (!(error instanceof Error) || error.message !== 'expected') throw error
          log.errors += 1
        },
      })
      const wakeUps: Promise<void>[] = []
      const stops: Promise<void>[] = []
      for (const each of steps) {
        if (each === 'wake') {
          const startedBefore = log.started
          const wasStopping = log.isStopping
          wakeUps.push(
            task.wake().then(() => {
              if (log.started <= startedBefore && !wasStopping && !log.isStopping) {
                throw new Error('No run followed the wake-up')
              }
            }),
          )
        } else if (each === 'wakeIn') task.wakeIn(0)
        else if (each === 'stop') {
          log.isStopping = true
          stops.push(
            task.stop().then(() => {
              if (log.inProgress > 0) throw new Error('stop did not wait for the run in progress')
            }),
          )
        } else {
          if (each === 'fail' && log.inProgress > 0) log.failures += 1
          finish(each === 'fail' ? new Error('expected') : undefined)
        }
        await turn()
      }
      log.isStopping = true
      stops.push(task.stop())
      finish()
      await Promise.all([...wakeUps, ...stops])
      t.equal(log.inProgress, 0)
      t.equal(log.errors, log.failures)
    }),
    { numRuns: 200 },
  )
})

t.test('wake-ups during a run cause a single further run', async t => {
  let started = 0
  let finish = () => {}
  const task = createBackgroundTask({
    run: () => {
      started += 1
      return new Promise(resolve => {
        finish = resolve
      })
    },
    onError: () => t.fail('A run failed'),
  })
  const first = task.wake()
  await turn()
  const more = [task.wake(), task.wake(), task.wake()]
  finish()
  await first
  await turn()
  t.equal(started, 2)
  finish()
  await Promise.all(more)
  t.equal(started, 2)
})

t.test('a run has the async context in which its task was created, whatever wakes it', async t => {
  const request = new AsyncLocalStorage<string>()
  const contexts: (string | undefined)[] = []
  let next = deferred()
  const task = createBackgroundTask({
    run: async () => {
      contexts.push(request.getStore())
      next.resolve()
    },
    onError: () => t.fail('A run failed'),
  })
  await request.run('woken', () => task.wake())
  next = deferred()
  request.run('scheduled', () => task.wakeIn(0))
  await next.promise
  await request.run('waiting', async () => {
    await task.wake()
    t.equal(request.getStore(), 'waiting', 'the caller keeps its own context')
  })
  await task.stop()
  t.same(contexts, [undefined, undefined, undefined])
})

t.test('the earlier of two scheduled runs takes precedence, and `stop` cancels a scheduled run', async t => {
  const { promise, resolve } = deferred()
  let runs = 0
  const task = createBackgroundTask({
    run: async () => {
      runs += 1
      resolve()
    },
    onError: () => t.fail('A run failed'),
  })
  task.wakeIn(3_600_000)
  task.wakeIn(1)
  task.wakeIn(3_600_000)
  await promise
  task.wakeIn(3_600_000)
  await task.stop()
  task.wakeIn(0)
  await task.wake()
  t.equal(runs, 1)
})

t.test('a task with an interval runs repeatedly, even after an error', async t => {
  const { promise, resolve } = deferred()
  const errors: unknown[] = []
  let runs = 0
  const task = createBackgroundTask({
    run: async () => {
      runs += 1
      if (runs === 3) resolve()
      throw new Error(`run ${runs}`)
    },
    onError: error => errors.push(error),
    everyMs: 1,
  })
  const keepAlive = setInterval(() => {}, 1000)
  await promise
  clearInterval(keepAlive)
  await task.stop()
  t.match(errors.slice(0, 2), [{ message: 'run 1' }, { message: 'run 2' }])
})

t.test('stop aborts the signal of the run in progress', async t => {
  const task = createBackgroundTask({
    run: signal => new Promise(resolve => signal.addEventListener('abort', () => resolve())),
    onError: () => t.fail('A run failed'),
  })
  const woken = task.wake()
  await turn()
  await task.stop()
  await woken
})

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
