import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { paths } from '../../shared/paths.ts'

const main = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))

/** Sixpane as a user starts it: the built server in a process of its own, on a store of its own. */
export type StartedServer = {
  origin: string
  process: ChildProcess
  /** The JSON lines of its standard output until now. */
  lines: Record<string, unknown>[]
  /** Resolves with the first line, written already or to come, that `matches`. */
  line(matches: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  /** Sends events to /ingest; resolves once they are durable. */
  send(...events: object[]): Promise<void>
  /** Ends it as a container engine does, and clears its own store away; gives the exit code. */
  stop(): Promise<number | null>
  /** Ends it with SIGKILL, in the middle of whatever it does; its store stays. */
  kill(): Promise<void>
}

/**
 * @param options.folder of its store, which is then kept: another server can go on with it
 * @throws Error with what it wrote to standard error when it ends before it is ready
 */
export async function startServer(
  env: Record<string, string> = {},
  options: { folder?: string } = {},
): Promise<StartedServer> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'sixpane-e2e-')))
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, PORT: '0', SIXPANE_DATA: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: Record<string, unknown>[] = []
  const waiting = new Set<(line: Record<string, unknown>) => void>()
  createInterface({ input: child.stdout }).on('line', text => {
    const line: Record<string, unknown> = JSON.parse(text)
    lines.push(line)
    for (const call of waiting) call(line)
  })
  let complaints = ''
  child.stderr.on('data', chunk => {
    complaints += chunk
  })

  const line: StartedServer['line'] = matches =>
    new Promise((resolve, reject) => {
      const past = lines.find(matches)
      if (past !== undefined) {
        resolve(past)
        return
      }
      const end = () => reject(new Error(`The server ended: ${complaints}`))
      const look = (each: Record<string, unknown>) => {
        if (!matches(each)) return
        waiting.delete(look)
        child.off('exit', end)
        resolve(each)
      }
      waiting.add(look)
      child.once('exit', end)
    })

  const endBy = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }

  const { address } = await line(({ msg }) => msg === 'Started')
  const origin = String(address)
  return {
    origin,
    process: child,
    lines,
    line,
    async send(...events) {
      const answer = await fetch(origin + paths.ingest(), {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: events.map(event => JSON.stringify(event)).join('\n'),
      })
      if (!answer.ok) throw new Error(`Ingest was answered with ${answer.status}: ${await answer.text()}`)
    },
    async stop() {
      await endBy('SIGTERM')
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
      return child.exitCode
    },
    kill: () => endBy('SIGKILL'),
  }
}
