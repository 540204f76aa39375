import { ClickHouseError } from '@clickhouse/client'
import { QueryLimitError, StoreUnavailableError } from '../../store.ts'

/**
 * Causes of errors that may not recur on a later attempt, by the server's error code
 * (https://clickhouse.com/docs/interfaces/http).
 */
const causes: Readonly<Record<string, string>> = {
  '164': 'The ClickHouse user is read-only, or the server has lost its connection to Keeper',
  '192': 'The user in SIXPANE_STORE does not exist in ClickHouse',
  '193': 'ClickHouse rejected the password in SIXPANE_STORE',
  '194': 'ClickHouse requires a password in SIXPANE_STORE',
  '516': 'ClickHouse rejected the user or password in SIXPANE_STORE',
  '497': 'The ClickHouse user lacks a privilege',
  '201': 'The ClickHouse user has exceeded its quota',
  '202': 'ClickHouse is running too many queries',
  '203': 'ClickHouse has no free connection to another server',
  '394': 'ClickHouse cancelled the statement',
  '236': 'ClickHouse aborted the statement, for example because it is shutting down',
  '439': 'ClickHouse has no free thread',
  '745': 'ClickHouse is overloaded',
  '499': 'ClickHouse cannot access its object storage',
  '209': 'ClickHouse did not respond in time',
  '210': 'ClickHouse reported a network error',
  '241': 'ClickHouse is out of memory',
  '242': 'The table is read-only, because ClickHouse cannot reach Keeper',
  '243': 'The disk of the ClickHouse server is full: free some space',
  '252': 'ClickHouse cannot merge as fast as events arrive',
  '285': 'Too few ClickHouse replicas are reachable for the quorum',
  '159': 'ClickHouse did not finish in time, or a server of the cluster cannot be reached',
  '279': 'ClickHouse cannot reach the servers of a shard',
  '286': 'ClickHouse has no quorum for an earlier insert',
  '289': 'A ClickHouse server has not yet received rows that other servers stored',
  '517': 'A ClickHouse server has not yet applied an earlier change to the table',
  '319': 'ClickHouse cannot tell whether a quorum stored the rows',
  '701': 'The cluster in SIXPANE_STORE is not defined in ClickHouse',
  '225': 'ClickHouse has no connection to Keeper',
  '999': 'ClickHouse cannot reach Keeper',
}

/** Waits for a statement. Rejects with the explained error: see `unavailable`. */
export async function explained<T>(work: Promise<T>, url: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw unavailable(error, url)
  }
}

/**
 * Returns a `StoreUnavailableError` with a message for the operator if a later attempt may succeed, and otherwise the
 * unchanged error.
 */
export function unavailable(error: unknown, url: string): unknown {
  if (error instanceof ClickHouseError) {
    const cause = causes[error.code]
    if (cause === undefined) return error
    return new StoreUnavailableError(`${cause} (${firstLine(error.message)})`, { cause: error })
  }
  if (!(error instanceof Error) || error instanceof QueryLimitError || isAbort(error)) return error
  const problem = `ClickHouse at ${url} cannot be reached: check SIXPANE_STORE and the server`
  return new StoreUnavailableError(`${problem} (${firstLine(error.message)})`, { cause: error })
}

function isAbort({ name, message }: Error): boolean {
  return name === 'AbortError' || message === 'The user aborted a request.'
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
