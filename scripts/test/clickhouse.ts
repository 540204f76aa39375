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
  const { CLICKHOUSE_URL: existing } = process.env
  if (existing !== undefined) return new URL(existing)
  const program = join(await installPackage('scripts/test/clickhouse'), 'server.mjs')
  const server = spawn(process.execPath, [program, t.testdir()], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(async () => {
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  })
  const lines = createInterface(server.stdout)
  const [line] = await once(lines, 'line')
  const { port }: { port: number } = JSON.parse(String(line))
  return new URL(`clickhouse://127.0.0.1:${port}`)
}
