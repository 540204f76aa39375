import type { Test } from 'tap'
import { noonMs } from '../../conformance/testing.ts'
import { openDatabase } from '../engine/database.ts'
import { createFilterTask } from './filter-task.ts'

const dayMs = 86_400_000

/** A store whose filters are built when the test calls `buildFilters`, for blocks of five events. */
export async function openFiltered(t: Test, folder = t.testdir()) {
  let nowMs = noonMs
  const database = await openDatabase(folder, { memoryBytes: null, nowMs: () => nowMs, logger: undefined })
  const problems: unknown[] = []
  const task = createFilterTask(
    database,
    () => nowMs,
    { warn: (problem: unknown) => problems.push(problem) },
    5,
  )
  t.teardown(async () => {
    await task.stop()
    await database.close()
  })
  return {
    database,
    task,
    problems,
    async buildFilters() {
      await task.wake()
      t.same(problems, [])
    },
    /** Makes the next event start a new segment. */
    sealSegment() {
      nowMs += dayMs
    },
    pass(durationMs: number) {
      nowMs += durationMs
    },
  }
}
