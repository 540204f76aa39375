import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import t from 'tap'
import { withLock } from './lock.mjs'

const silent = () => {}

t.test('work is done under the lock, which is given back', async t => {
  const folder = t.testdir()
  const path = join(folder, 'dist', '.lock')
  let held = false
  await withLock(path, silent, async () => {
    held = existsSync(path)
  })
  t.equal(held, true)
  t.strictSame(readdirSync(join(folder, 'dist')), [])
})

t.test('work that fails gives it back too', async t => {
  const path = join(t.testdir(), '.lock')
  await t.rejects(
    withLock(path, silent, async () => {
      throw new Error('npm failed')
    }),
    { message: 'npm failed' },
  )
  t.equal(existsSync(path), false)
})

t.test('while a process that is alive holds it, another says so and waits', async t => {
  const path = join(t.testdir(), '.lock')
  writeFileSync(path, String(process.ppid))
  const order: string[] = []
  const giveBack = () => {
    order.push('given back')
    rmSync(path)
  }
  await withLock(path, giveBack, async () => {
    order.push('done')
  })
  t.strictSame(order, ['given back', 'done'])
})

t.test('the lock of a process that has ended is taken over', async t => {
  const path = join(t.testdir(), '.lock')
  const { pid } = spawnSync(execPath, ['-e', ''])
  writeFileSync(path, String(pid))
  let done = false
  await withLock(path, silent, async () => {
    done = true
  })
  t.equal(done, true)
})

t.test('so is one that is older than any work takes', async t => {
  const path = join(t.testdir(), '.lock')
  writeFileSync(path, String(process.pid))
  utimesSync(path, 1, 1)
  let done = false
  await withLock(path, silent, async () => {
    done = true
  })
  t.equal(done, true)
})
