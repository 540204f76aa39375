import t from 'tap'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { createCommit } from './commit.ts'
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
  await commit([{ ...anEvent(), id: 1000 }], [])
  t.match(files().segments.active(), { events: 1, lastId: 1000 })

  stores = false
  await t.rejects(commit([{ ...anEvent(), id: 2000 }], []), /Out of Memory/)
  t.match(files().segments.active(), { events: 1, lastId: 1000 })
})

t.test('the store is not reopened while the outcome of a commit is read', async t => {
  const options = { memoryBytes: null, nowMs: () => noonMs, logger: undefined }
  const { files, recovery } = await openReopenableFiles(t.testdir(), options)
  t.teardown(() => files().engine.close())
  const isRunning: boolean[] = []
  let running = 0
  const commit = createCommit({
    files: () => ({
      ...files(),
      async write(...args) {
        await files().write(...args)
        throw new Error('Out of Memory Error: Failed to allocate data')
      },
      async probe(...args) {
        isRunning.push(running > 0)
        return files().probe(...args)
      },
    }),
    recovery: {
      ...recovery,
      run: operation => {
        running += 1
        return recovery.run(operation).finally(() => {
          running -= 1
        })
      },
    },
    isClosing: () => false,
    nowMs: () => noonMs,
    logger: undefined,
  })
  await commit([{ ...anEvent(), id: 1000 }], [])
  t.same(isRunning, [true])
  t.match(files().segments.active(), { events: 1, lastId: 1000 })
})
