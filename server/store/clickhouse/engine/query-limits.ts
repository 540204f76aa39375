import { ClickHouseError, type ClickHouseSettings } from '@clickhouse/client'
import { QueryLimitError } from '../../store.ts'

/**
 * Limits the resources of a single query, so that one visitor's query does not exhaust a shared server. The limits on
 * query size are high, because a search can have hundreds of terms.
 */
export const queryLimits: ClickHouseSettings = {
  max_execution_time: 60,
  max_query_size: '10000000',
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '1000000',
  max_memory_usage: '4000000000',
  // Beyond this, groups and sorted rows are written to disk.
  max_bytes_before_external_group_by: '1000000000',
  max_bytes_before_external_sort: '1000000000',
  max_temporary_data_on_disk_size_for_query: '20000000000',
  // Sixpane reads the whole result into memory.
  max_result_bytes: '256000000',
  // Overrides the ClickHouse user's settings, which could cause incomplete results or unexpected nulls.
  timeout_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  join_use_nulls: 0,
  aggregate_functions_null_for_empty: 0,
}

/** The message for each exceeded limit, by the server's error code. */
const exceeded: Readonly<Record<string, string>> = {
  '158': 'The query reads too many rows',
  '159': 'The query took too long',
  '160': 'The query would take too long',
  '241': 'The query needs too much memory',
  '307': 'The query reads too much data',
  '396': 'The result of the query is too large',
}

/** Returns a `QueryLimitError` with a message for the visitor if a limit was exceeded, and otherwise the unchanged error. */
export function explainLimit(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) return error
  const problem = exceeded[error.code]
  // The server has no memory left for any query, so a smaller query may fail, too.
  const isServerLimit = error.code === '241' && /^\W*total\b/i.test(error.message)
  if (problem === undefined || isServerLimit) return error
  return new QueryLimitError(problem, { cause: error })
}
