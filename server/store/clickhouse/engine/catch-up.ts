import { setTimeout } from 'node:timers/promises'
import { ClickHouseError } from '@clickhouse/client'

/**
 * The codes of temporary errors in a cluster: an earlier insert has no quorum yet, or this server has not received all rows
 * that other servers acknowledged, or has not applied an earlier change to the table.
 */
const temporary: readonly string[] = ['286', '289', '517']
const maxMs = 10_000
const [firstPauseMs, longestPauseMs] = [20, 500]

/**
 * Retries a statement for at most 10 seconds, until the servers of a cluster have caught up with each other. A retry is
 * safe, because the temporary errors mean that the statement had no effect.
 */
export async function afterCatchUp<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const untilMs = performance.now() + maxMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work()
    } catch (error) {
      const isTemporary = error instanceof ClickHouseError && temporary.includes(error.code)
      if (!isTemporary || performance.now() > untilMs) throw error
      // Random, so that Sixpane replicas that failed at the same time retry at different times.
      await setTimeout(pauseMs * (0.5 + Math.random()), undefined, signal && { signal })
    }
  }
}
