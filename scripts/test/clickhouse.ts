import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { installPackage } from '../install-package.ts'

/**
 * Starts a ClickHouse server, or uses the one in `CLICKHOUSE_URL`. Ends it when the test ends.
 * @returns the address of the server, without a database
 */
export async function startClickHouse(t: Test): Promise<URL> {
  const { url, stop } = await launchClickHouse(t.testdir())
  t.teardown(stop)
  return url
}

/**
 * Starts a ClickHouse server with this empty folder, or uses the one in `CLICKHOUSE_URL`.
 * @returns the address of the server, without a database
 */
export async function launchClickHouse(folder: string): Promise<{ url: URL; stop(): Promise<void> }> {
  const { CLICKHOUSE_URL: existing } = process.env
  if (existing !== undefined) return { url: new URL(existing), stop: async () => {} }
  const program = join(await installPackage('scripts/test/clickhouse'), 'server.mjs')
  const server = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }
  const lines = createInterface(server.stdout)
  const [line] = await once(lines, 'line')
  const { port }: { port: number } = JSON.parse(String(line))
  return { url: new URL(`clickhouse://127.0.0.1:${port}`), stop }
}
