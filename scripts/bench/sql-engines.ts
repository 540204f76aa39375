import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { installPackage } from '../install-package.mjs'
import { chDbDialect, type Dialect, duckDbDialect } from './sql-queries.ts'

/** A database engine that contains the events of the large store in one table. */
export type SqlEngine = {
  dialect: Dialect
  /** Runs the queries one after the other. Returns their total duration. */
  measureMs: (queries: readonly string[]) => Promise<number>
  close: () => Promise<void>
}

export async function openDuckDb(file: string): Promise<SqlEngine> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  return {
    dialect: duckDbDialect,
    async measureMs(queries) {
      const startedMs = performance.now()
      for (const sql of queries) await connection.runAndReadAll(sql)
      return performance.now() - startedMs
    },
    async close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Opens chDB with the events of a DuckDB file. @throws if it cannot be installed on this machine */
export async function openChDb(duckDbFile: string, folder: string): Promise<SqlEngine> {
  const program = join(await installPackage('scripts/bench/chdb'), 'answer.mjs')
  const parquet = join(folder, 'events.parquet')
  const instance = await DuckDBInstance.create(duckDbFile)
  const connection = await instance.connect()
  await connection.run(`COPY event TO '${parquet}' (FORMAT parquet)`)
  connection.closeSync()
  instance.closeSync()

  const data = join(folder, 'chdb')
  await mkdir(data)
  const child = fork(program, [data, parquet])
  const exited = once(child, 'exit').then(([code]): never => {
    throw new Error(`chDB exited with code ${code}`)
  })
  exited.catch(() => {})
  await Promise.race([once(child, 'message'), exited])
  return {
    dialect: chDbDialect,
    async measureMs(queries) {
      let durationMs = 0
      for (const sql of queries) {
        child.send(sql)
        const [answer] = await Promise.race([once(child, 'message'), exited])
        durationMs += answer.durationMs
      }
      return durationMs
    },
    async close() {
      child.kill()
      await exited.catch(() => {})
    },
  }
}
