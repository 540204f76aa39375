import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createMutex, type Mutex } from '../../common/mutex.ts'
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
    store.backup(folder, new AbortController().signal),
    store.retain({ maxAgeMs: 4 * dayMs, maxBytes: 1e12 }, nowMs),
  ])
  t.equal(dropped, 1)
  const copy = await openDuckDbStore({ folder })
  t.teardown(() => copy.close())
  t.match(await copy.stats(), { events: copied })
})

t.test('a backup does not combine the workspace with events that are regrouped later', async t => {
  const dir = t.testdir({ store: {}, copy: {} })
  let nowMs = noonMs
  const store = await openDuckDbStore({ folder: join(dir, 'store'), nowMs: () => nowMs })
  t.teardown(() => store.close())
  const exception = { type: 'Error', message: 'x', stack: 'Error: x\n    at t (main.js:1:1)' }
  for (let segment = 0; segment < 3; segment += 1) {
    await store.append([anEvent({ timeMs: nowMs, release: '1', fingerprint: 'old', exception })])
    nowMs += 2 * dayMs
  }
  const builds = [{ service: null, release: '1' }]
  const [stack] = await store.storedStacks(builds, 1)
  const folder = join(dir, 'copy')
  const [copied, moved, appended] = await Promise.all([
    store.backup(folder, new AbortController().signal),
    store.regroup(builds, [{ key: stack?.key ?? '', fingerprint: 'new' }]),
    store.append([anEvent({ timeMs: nowMs })]),
  ])
  t.same([copied, moved, appended.length], [3, 3, 1])
  const copy = await openDuckDbStore({ folder })
  t.teardown(() => copy.close())
  t.same(await copy.fingerprintsAfterRegroup([], [], ['old', 'new']), ['old'])
  t.same(await store.fingerprintsAfterRegroup([], [], ['old', 'new']), ['new'])
})

t.test('events are regrouped after a backup fails', async t => {
  const dir = t.testdir({ store: {}, copy: {} })
  const store = await openDuckDbStore({ folder: join(dir, 'store') })
  t.teardown(() => store.close())
  const backup = store.backup(join(dir, 'missing', 'folder'), new AbortController().signal)
  const [copied, regrouped] = await Promise.allSettled([backup, store.regroup([], [])])
  t.match([copied.status, regrouped], ['rejected', { status: 'fulfilled', value: 0 }])
})

/** Opens a store with one event in each of its segments. */
async function openSegments(t: Test, folder: string, segments: number) {
  let nowMs = noonMs
  const store = await openDuckDbStore({ folder, nowMs: () => nowMs })
  for (let segment = 0; segment < segments; segment += 1) {
    await store.append([anEvent({ timeMs: nowMs })])
    nowMs += 2 * dayMs
  }
  await store.close()
  const opened = await openReopenableFiles(folder, {
    memoryBytes: null,
    nowMs: () => nowMs,
    logger: undefined,
  })
  t.teardown(() => opened.files().engine.close())
  return opened
}

t.test('a backup fails if a segment is missing, because the copy could not be restored', async t => {
  const dir = t.testdir({ store: {}, copy: {} })
  const { files, recovery } = await openSegments(t, join(dir, 'store'), 2)
  await rm(files().segments.all()[0]?.path ?? '')
  const access = { files, recovery, withLock: createMutex() }
  await t.rejects(backUp(access, join(dir, 'copy'), new AbortController().signal), { code: 'ENOENT' })
})

t.test('a backup copies no segment while the store is being reopened', async t => {
  const dir = t.testdir({ store: {}, copy: {} })
  const { files, recovery } = await openSegments(t, join(dir, 'store'), 3)
  let reopenings = 0
  const withLock: Mutex = async work => {
    let isReopened = false
    const reopening = recovery.replace('Test').then(() => {
      isReopened = true
    })
    const result = await work()
    t.ok(isReopened)
    await reopening
    reopenings += 1
    return result
  }
  const folder = join(dir, 'copy')
  t.equal(await backUp({ files, recovery, withLock }, folder, new AbortController().signal), 3)
  t.equal(reopenings, 3)
})

t.test(
  'a backup that is aborted copies no further segments, so that it does not delay a shutdown',
  async t => {
    const dir = t.testdir({ store: {}, copy: {} })
    const { files, recovery } = await openSegments(t, join(dir, 'store'), 3)
    const abort = new AbortController()
    let calls = 0
    const withLock: Mutex = async work => {
      calls += 1
      if (calls === 2) abort.abort(new Error('The visitor disconnected'))
      return work()
    }
    const folder = join(dir, 'copy')
    await t.rejects(backUp({ files, recovery, withLock }, folder, abort.signal), {
      message: 'The visitor disconnected',
    })
    const segments = (await readdir(folder)).filter(name => /^events.*\.duckdb$/.test(name))
    t.equal(segments.length, 2)
  },
)

t.test(
  'a backup links to the source maps of the store, so that it keeps maps that are deleted later',
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
    await backUp({ files, recovery, withLock }, folder, new AbortController().signal)
    const copy = await openDuckDbStore({ folder })
    t.teardown(() => copy.close())
    t.match(await copy.sourceMaps.list(), [{ id: 'a' }, { id: 'b' }])
    t.equal((await copy.sourceMaps.read('a', 0, 10))?.length, 10)
    const fileIn = (name: string) => stat(join(dir, name, 'source-maps', 'b'))
    t.equal((await fileIn('copy')).ino, (await fileIn('store')).ino)
  },
)
