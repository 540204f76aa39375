import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, statfs } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { connect } from '../../server/store/clickhouse/engine/connection.ts'
import {
  parseServerAddress,
  type ServerAddress,
} from '../../server/store/clickhouse/engine/server-address.ts'
import { openClickHouseStore } from '../../server/store/clickhouse/store.ts'
import { sql } from '../../server/store/common/sql.ts'
import type { MakeLocation } from '../../server/store/conformance/testing.ts'
import { installPackage } from '../install-package.mjs'

/** Test files in the same process share a server, because starting a server takes longer than running most of the files. */
const started = new Map<Kind, Promise<ClickHouse>>()

/**
 * Starts a ClickHouse server, which stops when this process exits, or uses the one in `CLICKHOUSE_URL`.
 * @returns the address of the server, without a database. Test files share the server, so each file needs its own databases
 */
export function startClickHouse(t: Test): Promise<URL> {
  return startOnce(t, 'server')
}

/**
 * Like `startClickHouse`, but with a cluster in which every shard is this server. Tables have no replicas, because
 * `server.mjs` removes replication from the statements that create tables.
 */
export async function startCluster(t: Test, shards: 'one' | 'two'): Promise<URL> {
  const url = new URL(await startOnce(t, 'cluster'))
  if (!url.searchParams.has('cluster')) url.searchParams.set('cluster', shards)
  return url
}

/** Whether tests can use a cluster: chDB has one, but a server in `CLICKHOUSE_URL` only if its address names the cluster. */
export function hasCluster(): boolean {
  const { CLICKHOUSE_URL: existing } = process.env
  return existing === undefined || new URL(existing).searchParams.has('cluster')
}

async function startOnce(t: Test, kind: Kind): Promise<URL> {
  const starting = started.get(kind) ?? startUntilExit(kind)
  started.set(kind, starting)
  const { url, ref, unref } = await starting
  ref()
  t.teardown(unref)
  return url
}

/**
 * Unit tests run each query only a few times, so compiling its expressions to machine code would take longer than it saves.
 */
const withoutCompiling = [
  '--compile_expressions=0',
  '--compile_aggregate_expressions=0',
  '--compile_sort_description=0',
]

async function startUntilExit(kind: Kind): Promise<ClickHouse> {
  const folder = await mkdtemp(join(await parentFolder(), 'sixpane-clickhouse-'))
  const clickHouse = await launchClickHouse(folder, kind, withoutCompiling)
  process.once('exit', () => {
    void clickHouse.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return clickHouse
}

/** More than the data of all tests in a process needs. */
const minMemoryBytes = 2_000_000_000

/**
 * A folder in memory, if enough memory is free. The tests create many files, and ClickHouse is a fifth slower if these files
 * are on a disk.
 */
async function parentFolder(): Promise<string> {
  const memory = '/dev/shm'
  const freeBytes = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return freeBytes > minMemoryBytes ? memory : tmpdir()
}

/** Returns the address of a database. Keeps the parameters of the server's address, such as the cluster. */
export function addressOf(server: URL, database: string): ServerAddress {
  const url = new URL(server)
  url.pathname = `/${database}`
  const address = parseServerAddress(url.href)
  if (address === null) throw new TypeError('Not a server address')
  return address
}

let databases = 0

/**
 * Returns a function that chooses an empty database for each store of the conformance tests. When a test ends,
 * its database is emptied and reused, because creating the tables takes longer than most tests.
 */
export function databasesOf(server: URL): MakeLocation {
  const unused: ServerAddress[] = []
  return t => {
    const address = unused.pop() ?? newDatabase(server)
    t.teardown(async () => {
      await deleteRows(address)
      unused.push(address)
    })
    return { open: options => openClickHouseStore(address, options) }
  }
}

function newDatabase(server: URL): ServerAddress {
  databases += 1
  return addressOf(server, `conformance_${process.pid}_${databases}`)
}

async function deleteRows(address: ServerAddress): Promise<void> {
  const { execute, close, layout } = connect(address)
  const tables = [layout.storedEvents, sql`record`, sql`source_map_part`, sql`claim`]
  for (const table of tables) await execute(sql`TRUNCATE TABLE IF EXISTS ${table} ${layout.on}`)
  await close()
}

type Kind = 'server' | 'cluster'

/** chDB sometimes hangs when it opens the folder of a killed process. The server is then restarted after this time. */
const maxStartMs = 30_000

export type ClickHouse = {
  /** The address of the server, without a database. */
  url: URL
  stop(): Promise<void>
  /** Kills the server with SIGKILL and starts it again. `null` if the server was already running. */
  restart: (() => Promise<void>) | null
  /** After `unref`, the server does not prevent this process from exiting. `ref` undoes this. */
  ref(): void
  unref(): void
}

/** A server that was already running, so `stop` does nothing. */
export function existingClickHouse(url: URL): ClickHouse {
  return { url, stop: async () => {}, restart: null, ref() {}, unref() {} }
}

/** Starts a ClickHouse server with this empty folder, or uses the one in `CLICKHOUSE_URL`. */
export async function launchClickHouse(
  folder: string,
  kind: Kind = 'server',
  chdbArguments: readonly string[] = [],
): Promise<ClickHouse> {
  const { CLICKHOUSE_URL: existing } = process.env
  if (existing !== undefined) return existingClickHouse(new URL(existing))
  const program = join(await installPackage('scripts/test/clickhouse'), 'server.mjs')
  const startAt = async (port: number): Promise<{ server: ChildProcess; port: number }> => {
    const server = spawn(process.execPath, [program, folder, String(port), kind, ...chdbArguments], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const signal = AbortSignal.timeout(maxStartMs)
    const line = await Promise.race([
      once(createInterface(server.stdout), 'line', { signal }).catch(() => null),
      once(server, 'exit').then(([code]) => {
        throw new Error(`The test ClickHouse server exited with code ${code}; see its output above`)
      }),
    ])
    if (line === null) {
      server.kill('SIGKILL')
      return startAt(port)
    }
    if (server.stdout instanceof Socket) server.stdout.unref()
    const address: { port: number } = JSON.parse(String(line[0]))
    return { server, port: address.port }
  }
  const { port, ...first } = await startAt(0)
  let { server } = first
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }
  return {
    url: new URL(`clickhouse://127.0.0.1:${port}?tls=off`),
    stop,
    async restart() {
      await stop()
      server = (await startAt(port)).server
    },
    ref: () => server.ref(),
    unref: () => server.unref(),
  }
}
