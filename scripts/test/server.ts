import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { paths } from '../../shared/paths.ts'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** The built server, running as a separate process. */
export type StartedServer = {
  origin: string
  process: ChildProcess
  /** The JSON lines that the server has written to standard output. */
  lines: Record<string, unknown>[]
  /** Resolves with the first past or future line that matches. */
  line(matches: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  /** Sends events to /ingest. Resolves when they are stored. */
  send(...events: object[]): Promise<void>
  /** Stops the server as a container engine would, and deletes its temporary store. Returns the exit code. */
  stop(): Promise<number | null>
  /** Kills the server with SIGKILL. Its store remains. */
  kill(): Promise<void>
}

/**
 * @param options.folder the store's folder, which `stop` does not delete; default: a temporary folder, which `stop` deletes
 * @param options.build the folder of the build; default: `dist`
 * @param options.maxFiles the number of files and sockets that the process may open
 * @throws Error with the error output, if the server exits before it is ready
 */
export async function startServer(
  env: Record<string, string> = {},
  options: { folder?: string; build?: string; maxFiles?: number } = {},
): Promise<StartedServer> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'sixpane-e2e-')))
  const command =
    options.maxFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${options.maxFiles}; exec "$@"`, 'sh']
  const main = join(options.build ?? dist, 'server', 'main.js')
  const [program = process.execPath, ...args] = [...command, process.execPath, main]
  const child = spawn(program, args, {
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
  let errorOutput = ''
  child.stderr.on('data', chunk => {
    errorOutput += chunk
  })

  const line: StartedServer['line'] = matches =>
    new Promise((resolve, reject) => {
      const past = lines.find(matches)
      if (past !== undefined) {
        resolve(past)
        return
      }
      const end = () => reject(new Error(`The server exited: ${errorOutput}`))
      const check = (each: Record<string, unknown>) => {
        if (!matches(each)) return
        waiting.delete(check)
        child.off('exit', end)
        resolve(each)
      }
      waiting.add(check)
      child.once('exit', end)
    })

  const endWith = async (signal: 'SIGTERM' | 'SIGKILL') => {
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
    send: (...events) => sendEvents(origin, events),
    async stop() {
      await endWith('SIGTERM')
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
      return child.exitCode
    },
    kill: () => endWith('SIGKILL'),
  }
}

/** Sends events to /ingest. Resolves when they are stored. */
export async function sendEvents(origin: string, events: readonly object[]): Promise<void> {
  const body = events.map(event => JSON.stringify(event)).join('\n')
  const { status, text } = await post(origin + paths.ingest(), body)
  if (status !== 200) throw new Error(`Ingest returned status ${status}: ${text}`)
}

/** Closes the connection after the response, because a stopping server waits for open connections. */
async function post(url: string, body: string): Promise<{ status: number | undefined; text: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    request(url, { method: 'POST', headers, agent: false })
      .once('response', resolve)
      .once('error', reject)
      .end(body)
  })
  return { status: response.statusCode, text: await readText(response) }
}
