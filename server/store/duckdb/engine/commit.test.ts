import t from 'tap'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { createCommit } from './commit.ts'
import { numberEvents } from './number-events.ts'
import { openReopenableFiles } from './reopenable-files.ts'

t.test('if memory runs out during a commit, its outcome is read from the file', async t => {
  const options = { memoryBytes: null, nowMs: () => noonMs, logger: undefined }
  const { files, recovery } = await openReopenableFiles(t.testdir(), options)
  t.teardown(() => files().engine.close())
  let stores = true
  const outOfMemory = () => Promise.reject(new Error('Out of Memory Error: Failed to allocate data'))
  const commit = createCommit({
    files: () => ({
      ...files(),
      async write(...args) {
        if (stores) await files().write(...args)
        return outOfMemory()
      },
      probe: outOfMemory,
    }),
    recovery,
    isClosing: () => false,
    nowMs: () => noonMs,
    logger: undefined,
  })
  const { stored, bounds } = await numberEvents([anEvent()], 1000)
  await commit(stored, bounds, [])
  t.match(files().segments.active(), { events: 1, lastId: bounds.lastId })

  stores = false
  const next = await numberEvents([anEvent()], 2000)
  await t.rejects(commit(next.stored, next.bounds, []), /Out of Memory/)
  t.match(files().segments.active(), { events: 1, lastId: bounds.lastId })
})
