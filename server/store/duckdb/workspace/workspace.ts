import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { StoreUnavailableError } from '../../store.ts'
import { attach, detach, type FileIdentity } from '../engine/attach.ts'
import { createAsk, type Row } from '../engine/connections.ts'
import { createExclusive } from '../engine/mutex.ts'
import { type Sql, statement } from '../sql/sql.ts'
import { workspaceLayout } from './workspace-layout.ts'

/**
 * The file beside the segments that holds what people decided and set, under the name `workspace`. No retention
 * drops it. Everything in it is small: one connection does.
 */
export type Workspace = {
  readonly path: string
  readonly identity: FileIdentity
  /** Asks the workspace; questions of events may read its tables too, by `workspace.<table>`. */
  ask(question: Sql, signal?: AbortSignal): Promise<Row[]>
  /** Carries out statements in their order, all or none; once it resolves they survive a kill of the process. */
  change(...statements: readonly Sql[]): Promise<void>
  detach(): Promise<void>
}

export async function openWorkspace(connection: DuckDBConnection, folder: string): Promise<Workspace> {
  const file = 'workspace.duckdb'
  const path = join(folder, file)
  const identity = await attach(connection, path, 'workspace', workspaceLayout).catch(error => {
    throw error instanceof StoreUnavailableError
      ? error
      : new Error(`${file}: ${error.message}`, { cause: error })
  })
  const exclusive = createExclusive()
  const ask = createAsk([connection])

  const run = async (statements: readonly Sql[]) => {
    await connection.run('BEGIN')
    try {
      for (const each of statements) {
        const { text, values, types } = statement(each)
        await connection.run(text, values, types)
      }
      await connection.run('COMMIT')
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => {}) // A commit that failed has ended the transaction.
      throw error
    }
  }
  return {
    path,
    identity,
    ask: (question, signal) => exclusive(() => ask(question, signal)),
    change: (...statements) => exclusive(() => run(statements)),
    detach: () => exclusive(() => detach(connection, 'workspace')),
  }
}
