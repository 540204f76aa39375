import { join } from 'node:path'
import { createMutex } from '../../common/mutex.ts'
import type { Row } from '../../common/rows.ts'
import type { Sql } from '../../common/sql.ts'
import { StoreUnavailableError } from '../../store.ts'
import { attach, detach, type FileIdentity } from '../engine/attach.ts'
import { copyOpenDatabase, type FileCopy, linkFolder } from '../engine/copy-files.ts'
import type { Engine } from '../engine/engine.ts'
import { inTransaction, runStatement } from '../engine/transaction.ts'
import { workspaceLayout } from './workspace-layout.ts'

/**
 * The file for data other than events, such as failures and settings. It is attached as `workspace`. Retention deletes
 * nothing from it. Its data is small, so one connection is enough.
 */
export type Workspace = {
  readonly path: string
  readonly identity: FileIdentity
  /** Queries the workspace. Event queries can also read its tables, as `workspace.<table>`. */
  query(query: Sql, signal?: AbortSignal): Promise<Row[]>
  /**
   * Executes statements in one transaction. Once the promise resolves, the changes survive even if the process is killed.
   */
  execute(...statements: readonly Sql[]): Promise<void>
  /**
   * Copies the file to a folder, and links the contents of source maps beside it.
   * @returns `notLinked`: the contents that cannot be linked and are not copied yet
   */
  copyTo(folder: string): Promise<{ notLinked: FileCopy[] }>
  detach(): Promise<void>
}

/** Returns the subfolder of a store's folder that contains the source maps. */
export function sourceMapFolder(folder: string): string {
  return join(folder, 'source-maps')
}

export const workspaceFile = 'workspace.duckdb'

/** Opens the workspace of a store. The engine's lock on its file prevents other processes from opening the store. */
export async function openWorkspace(engine: Engine, folder: string): Promise<Workspace> {
  const connection = await engine.connect()
  const path = join(folder, workspaceFile)
  const identity = await attach(connection, path, 'workspace', workspaceLayout).catch(error => {
    throw error instanceof StoreUnavailableError
      ? error
      : new Error(`${workspaceFile}: ${error.message}`, { cause: error })
  })
  let descriptor: number | null = null
  const withLock = createMutex()
  const { runQuery } = engine.createPool([connection])

  const runTransaction = (statements: readonly Sql[]) =>
    inTransaction(connection, async () => {
      for (const each of statements) await runStatement(connection, each)
    })
  return {
    path,
    identity,
    query: (query, signal) => withLock(() => runQuery(query, signal)),
    execute: (...statements) => withLock(() => runTransaction(statements)),
    copyTo: target =>
      withLock(async () => {
        descriptor ??= engine.openForReading(path)
        await copyOpenDatabase(descriptor, path, target)
        return { notLinked: await linkFolder(sourceMapFolder(folder), sourceMapFolder(target)) }
      }),
    detach: () => withLock(() => detach(connection, 'workspace')),
  }
}
