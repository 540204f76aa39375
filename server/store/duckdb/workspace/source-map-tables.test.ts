import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openDuckDbStore } from '../store.ts'

t.test('a repeated upload restores missing content', async t => {
  const folder = t.testdir()
  const { sourceMaps, close } = await openDuckDbStore({ folder })
  t.teardown(close)
  const map = { id: 'm1', release: '1', path: 'main.js', debugId: null, service: null, uploadedMs: 1 }
  const put = () => sourceMaps.put(map, new Uint8Array([1, 2]), 100)
  await put()
  await rm(join(folder, 'source-maps', 'm1'))
  t.match(await put(), { isNew: false })
  t.same(await sourceMaps.read('m1', 0, 2), new Uint8Array([1, 2]))
  t.equal((await sourceMaps.list()).length, 1)
})
