import t from 'tap'
import { createShutdown } from './shutdown.ts'

t.test('each module stops once, in reverse start order, after the previous one has stopped', async t => {
  const log: string[] = []
  const shutdown = createShutdown({ error: () => t.fail('A module failed to stop') })
  for (const name of ['store', 'queue', 'server']) {
    shutdown.onStop(name, async () => {
      log.push(`${name} stops`)
      await new Promise<void>(resolve => setImmediate(resolve))
      log.push(`${name} stopped`)
    })
  }
  await Promise.all([shutdown.stop(), shutdown.stop()])
  t.same(log, [
    'server stops',
    'server stopped',
    'queue stops',
    'queue stopped',
    'store stops',
    'store stopped',
  ])
})

t.test('a failure to stop a module is logged, and the remaining modules still stop', async t => {
  const stopped: string[] = []
  const errors: unknown[] = []
  const shutdown = createShutdown({ error: (fields: unknown) => void errors.push(fields) })
  shutdown.onStop('store', () => void stopped.push('store'))
  shutdown.onStop('queue', () => Promise.reject(new Error('disk full')))
  shutdown.onStop('timer', () => {
    throw new Error('no timer')
  })
  shutdown.onStop('server', () => void stopped.push('server'))
  await shutdown.stop()
  t.same(stopped, ['server', 'store'])
  t.match(errors, [
    { module: 'timer', err: { message: 'no timer' } },
    { module: 'queue', err: { message: 'disk full' } },
  ])
})
