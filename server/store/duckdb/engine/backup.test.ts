import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Mutex } from '../../common/mutex.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { openDuckDbStore } from '../store.ts'
import { createSourceMapStore } from '../workspace/source-map-tables.ts'
import { backUp } from './backup.ts'
import { openReopenableFiles } from './reopenable-files.ts'

const dayMs = 86_400_000

t.test('a backup counts the events in its copy, even if retention deletes some in the meantime', async t => {
  const dir = t.testdir({ store: {}, copy: {} })
  let nowMs = noonMs
  const store = await openDuckDbStore({ folder: join(dir, 'store'), nowMs: () => nowMs })
  t.teardown(() => store.close())
  await store.append([anEvent({ timeMs: noonMs }), anEvent({ timeMs: noonMs - 5 * dayMs })])
  nowMs += 2 * dayMs
  await store.append([anEvent({ timeMs: nowMs })])

  const folder = join(dir, 'copy')
  const [copied, dropped] = await Promise.all([
    store.backup(folder),
    store.retain({ maxAgeMs: 4 * dayMs, maxBytes: 1e12 }, nowMs),
  ])
  t.equal(dropped, 1)
  const copy = await openDuckDbStore({ folder })
  t.teardown(() => copy.close())
  t.match(await copy.stats(), { events: copied })
})

t.test(
  'a backup shares the content of source maps with the store, even if they are then deleted',
  async t => {
    const dir = t.testdir({ store: {}, copy: {} })
    const options = { memoryBytes: null, nowMs: Date.now, logger: undefined }
    const { files, recovery } = await openReopenableFiles(join(dir, 'store'), options)
    t.teardown(() => files().engine.close())
    const sourceMaps = createSourceMapStore(files().workspace)
    const put = (id: string) => {
      const map = { id, release: '1', path: 'main.js', debugId: null, service: null, uploadedMs: noonMs }
      return sourceMaps.put(map, new Uint8Array(10), 20)
    }
    for (const id of ['a', 'b']) await put(id)

    const folder = join(dir, 'copy')
    const withLock: Mutex = async work => {
      const result = await work()
      await put('uploaded after the workspace was copied')
      return result
    }
    await backUp({ files, recovery, withLock }, folder)
    const copy = await openDuckDbStore({ folder })
    t.teardown(() => copy.close())
    t.match(await copy.sourceMaps.list(), [{ id: 'a' }, { id: 'b' }])
    t.equal((await copy.sourceMaps.read('a', 0, 10))?.length, 10)
    const fileIn = (name: string) => stat(join(dir, name, 'source-maps', 'b'))
    t.equal((await fileIn('copy')).ino, (await fileIn('store')).ino)
  },
)
