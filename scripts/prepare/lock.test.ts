import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { withLock } from './lock.mjs'

const ignore = () => {}

t.test('only one caller holds the lock at a time', async t => {
  const path = join(t.testdir(), 'dist', 'lock')
  let working = 0
  const work = async () => {
    working += 1
    t.equal(working, 1)
    await turn()
    working -= 1
  }
  await Promise.all([withLock(path, ignore, work), withLock(path, ignore, work)])
  t.notOk(existsSync(path))
})

t.test('the lock is released if the work fails', async t => {
  const path = join(t.testdir(), 'lock')
  await t.rejects(
    withLock(path, ignore, async () => {
      throw new Error('no network')
    }),
    { message: 'no network' },
  )
  await withLock(path, ignore, async () => {
    t.pass()
  })
})

t.test('the lock of a process that has exited is removed, and the wait is reported', async t => {
  const path = join(t.testdir(), 'lock')
  // Exceeds the largest process id on Linux and macOS.
  writeFileSync(path, '5000000')
  const reported: string[] = []
  await withLock(
    path,
    line => reported.push(line),
    async () => {
      t.pass()
    },
  )
  t.match(reported, [/Waiting/])
})

t.test('the lock of an earlier process with the same id is removed', { timeout: 5000 }, async t => {
  // In a container, the processes often get the same ids after each start.
  const path = join(t.testdir(), 'lock')
  writeFileSync(path, `${process.pid} ${performance.timeOrigin - 60_000}`)
  await withLock(path, ignore, async () => {
    t.pass()
  })
})
