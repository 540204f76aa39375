import { existsSync } from 'node:fs'
import t from 'tap'

t.test('the folder of a test exists until its teardown has ended', async t => {
  const existed: boolean[] = []
  await t.test('a test with a folder', async child => {
    const folder = child.testdir({})
    child.teardown(async () => {
      existed.push(existsSync(folder))
    })
  })
  t.same(existed, [true])
})
