import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

const gibibyte = 1024 ** 3

export type Engine = {
  connect(): Promise<DuckDBConnection>
  /** Closes all connections and files; safe to call again. */
  close(): void
}

/**
 * Starts an engine without a database of its own: the segments are attached to it. It reaches no file outside
 * the folder, no network and no extension, and cannot be told otherwise later: should a statement ever be
 * forged, it finds nothing to open (https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview).
 */
export async function startEngine(folder: string): Promise<Engine> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    threads: String(availableParallelism()),
    memory_limit: `${Math.round(Math.min(totalmem() / 4, gibibyte) / 1024)}KiB`,
    preserve_insertion_order: 'false',
    // Each commit is synced to the write-ahead log, which is folded into the segment at this size; what it
    // holds is read again when the store is opened.
    checkpoint_threshold: '16MiB',
  })
  const connection = await instance.connect()
  await connection.run(`SET temp_directory = ${literal(spillFolder(folder))}`)
  await connection.run('SET late_materialization_max_rows = 1001')
  await connection.run("SET max_temp_directory_size = '4GiB'")
  await connection.run(`SET allowed_directories = [${literal(folder)}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  const connections = [connection]
  let isClosed = false
  return {
    async connect() {
      const another = await instance.connect()
      connections.push(another)
      return another
    },
    close() {
      if (isClosed) return
      isClosed = true
      for (const open of connections) open.closeSync()
      instance.closeSync()
    },
  }
}

/** Where the engine puts what a question does not find memory for. */
export function spillFolder(folder: string): string {
  return join(folder, 'spill')
}

/** A path as a literal: settings and ATTACH take no parameters. Only the folder of the store comes this way. */
export function literal(path: string): string {
  return `'${path.replaceAll("'", "''")}'`
}
