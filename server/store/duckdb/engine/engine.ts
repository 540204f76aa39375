import { closeSync, openSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type ConnectionPool, createConnectionPool } from './connections.ts'
import { defaultMemoryBytes } from './memory-limit.ts'

/**
 * Maximum size of the write-ahead log, which the engine also keeps in memory. docs/decisions/0001-segments.md contains the
 * measurements.
 */
const maxLogBytes = 64 * 1024 ** 2

/** One thread reads this many events in a few milliseconds. With more events, queries use all cores. */
const maxEventsPerThread = 20_000

export type Engine = {
  connect(): Promise<DuckDBConnection>
  /** Creates a pool of these connections, which `close` stops. */
  createPool(connections: readonly DuckDBConnection[]): ConnectionPool
  /**
   * Lets statements use all cores from now on if there are many events. With few events, further threads would cost more
   * than they save: every statement, even a commit, waits in a busy loop while another thread does its work.
   */
  setThreadsFor(events: number): Promise<void>
  /**
   * Opens a store file for reading until `close`. Closing any descriptor of the file earlier would release the engine's
   * lock on it (fcntl(2), "Advisory record locking").
   */
  openForReading(path: string): number
  /**
   * Stops the queries of all pools, because a query would never settle if its connection were closed while it runs. Then
   * closes all connections and files. Further calls do nothing. Logs are not merged into their files, because that would
   * block this process.
   */
  close(): Promise<void>
}

/**
 * Starts an in-memory engine, to which the store's files are attached. As a defence against SQL injection, it cannot use
 * extensions, the network, or files outside the folder. This configuration is locked, except for the number of threads
 * (https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview).
 * @param memoryBytes the engine's memory limit; `null` means the default
 */
export async function startEngine(folder: string, memoryBytes: number | null): Promise<Engine> {
  const memory = memoryBytes ?? defaultMemoryBytes(totalmem(), process.constrainedMemory())
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    threads: String(availableParallelism()),
    memory_limit: kibibytes(memory),
    preserve_insertion_order: 'false',
    // Each commit is synced to the write-ahead log, which is merged into the file at this size. Opening the store
    // replays the log.
    checkpoint_threshold: kibibytes(Math.min(maxLogBytes, memory / 8)),
  })
  const connection = await instance.connect()
  await connection.run(`SET temp_directory = ${literal(spillFolder(folder))}`)
  await connection.run("SET max_temp_directory_size = '4GiB'")
  await connection.run(`SET allowed_directories = [${literal(folder)}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('PRAGMA disable_checkpoint_on_shutdown')
  // Set after the start, because an engine that starts with one thread uses 8 MB more memory.
  await connection.run('SET threads = 1')
  await connection.run("SET allowed_configs = ['threads']")
  await connection.run('SET lock_configuration = true')
  const connections = [connection]
  const pools: ConnectionPool[] = []
  const descriptors: number[] = []
  let usesAllCores = false
  let closing: Promise<void> | undefined
  const close = async () => {
    await Promise.all(pools.map(pool => pool.stop()))
    for (const open of connections) open.closeSync()
    instance.closeSync()
    for (const open of descriptors) closeSync(open)
  }
  return {
    async connect() {
      const another = await instance.connect()
      connections.push(another)
      return another
    },
    createPool(pooled) {
      const pool = createConnectionPool(pooled)
      pools.push(pool)
      return pool
    },
    async setThreadsFor(events) {
      if (usesAllCores || events <= maxEventsPerThread) return
      await connection.run(`SET threads = ${availableParallelism()}`)
      usesAllCores = true
    },
    openForReading(path) {
      const descriptor = openSync(path, 'r')
      descriptors.push(descriptor)
      return descriptor
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** Writes a size in the form of DuckDB's settings. */
export function kibibytes(bytes: number): string {
  return `${Math.round(bytes / 1024)}KiB`
}

/** Where the engine stores intermediate results that do not fit into memory. */
export function spillFolder(folder: string): string {
  return join(folder, 'spill')
}

/**
 * Quotes a path as an SQL literal, because SET and ATTACH accept no parameters. Use only for the store's folder and files.
 */
export function literal(path: string): string {
  return `'${path.replaceAll("'", "''")}'`
}
