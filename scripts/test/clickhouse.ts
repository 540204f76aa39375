import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { parseServerAddress } from '../../server/store/clickhouse/engine/server-address.ts'
import { openClickHouseStore } from '../../server/store/clickhouse/store.ts'
import type { MakeLocation } from '../../server/store/conformance/testing.ts'
import { installPackage } from '../install-package.ts'

/**
 * Starts a ClickHouse server, or uses the one in `CLICKHOUSE_URL`. Ends it when the test ends.
 * @returns the address of the server, without a database
 */
export function startClickHouse(t: Test): Promise<URL> {
  return start(t, 'server')
}

/**
 * Like `startClickHouse`, but with a cluster of shards that are all this server. It creates no replicas: `server.mjs` removes
 * them from the statements that create tables.
 */
export async function startCluster(t: Test, shards: 'one' | 'two'): Promise<URL> {
  const url = await start(t, 'cluster')
  if (!url.searchParams.has('cluster')) url.searchParams.set('cluster', shards)
  return url
}

async function start(t: Test, kind: 'server' | 'cluster'): Promise<URL> {
  // Not `t.testdir`, which would delete the folder while the server still writes to it.
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-clickhouse-'))
  const { url, stop } = await launchClickHouse(folder, kind)
  t.teardown(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  return url
}

/** The address of a database, without TLS, with the other parameters of `CLICKHOUSE_URL`, such as the cluster. */
export function addressOf(server: URL, database: string): string {
  const address = new URL(server)
  address.pathname = `/${database}`
  address.searchParams.set('tls', 'off')
  return address.href
}

/** Returns a function that creates a database for each store of the conformance tests. */
export function databasesOf(server: URL): MakeLocation {
  let databases = 0
  return () => {
    databases += 1
    const address = parseServerAddress(addressOf(server, `conformance_${process.pid}_${databases}`))
    if (address === null) throw new TypeError('Not a server address')
    return { open: options => openClickHouseStore(address, options) }
  }
}

/** chDB sometimes never returns from opening a folder that a killed process has left. Then it is started again. */
const maxStartMs = 30_000

export type ClickHouse = {
  /** The address of the server, without a database. */
  url: URL
  stop(): Promise<void>
  /** Kills the server with SIGKILL and starts it again. `null` if these tests did not start the server. */
  restart: (() => Promise<void>) | null
}

/** Starts a ClickHouse server with this empty folder, or uses the one in `CLICKHOUSE_URL`. */
export async function launchClickHouse(
  folder: string,
  kind: 'server' | 'cluster' = 'server',
): Promise<ClickHouse> {
  const { CLICKHOUSE_URL: existing } = process.env
  if (existing !== undefined) return { url: new URL(existing), stop: async () => {}, restart: null }
  const program = join(await installPackage('scripts/test/clickhouse'), 'server.mjs')
  const startAt = async (port: number): Promise<{ server: ChildProcess; port: number }> => {
    const server = spawn(process.execPath, [program, folder, String(port), kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const signal = AbortSignal.timeout(maxStartMs)
    const line = await once(createInterface(server.stdout), 'line', { signal }).catch(() => null)
    if (line === null) {
      server.kill('SIGKILL')
      return startAt(port)
    }
    const started: { port: number } = JSON.parse(String(line[0]))
    return { server, port: started.port }
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
    url: new URL(`clickhouse://127.0.0.1:${port}`),
    stop,
    async restart() {
      await stop()
      server = (await startAt(port)).server
    },
  }
}
