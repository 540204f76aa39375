import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { paths } from '../../shared/paths.ts'

/** What listens at an address. */
export async function probeServer(origin: string): Promise<'sixpane' | 'nobody' | 'another'> {
  try {
    const answer = await fetch(new URL(paths.livez(), origin), { signal: AbortSignal.timeout(2000) })
    const parsed: unknown = await answer.json()
    return answer.ok && typeof parsed === 'object' && parsed !== null && 'status' in parsed
      ? 'sixpane'
      : 'another'
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED' ? 'nobody' : 'another'
  }
}

/** A port of this machine that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

export type LocalServer = {
  /** Resolves with `null` once it listens, or with what it parsed when it ended before. */
  started: Promise<string | null>
  /** Tells it to stop and waits until it has given back its store. */
  stop(): Promise<void>
}

/**
 * Starts Sixpane as a process of its own; what it logs stays away from the terminal, it is in its store as well.
 * @param mainFile of the built server
 */
export function startLocalServer(
  mainFile: string,
  env: Readonly<Record<string, string | undefined>>,
): LocalServer {
  const child = spawn(process.execPath, [mainFile], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl+C reaches every process of the terminal's group, and what is on its way has to be kept first.
    detached: true,
    windowsHide: true,
  })
  const end = () => void child.kill('SIGTERM')
  process.once('exit', end)
  let parsed = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    parsed = (parsed + text).slice(-2000)
  })
  const ended = new Promise<void>(resolve => {
    child.once('close', () => resolve())
    child.once('error', error => {
      parsed = error.message
      resolve()
    })
  })
  const listens = new Promise<null>(resolve => {
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.includes('"msg":"Started"')) resolve(null)
    })
  })

  return {
    started: Promise.race([listens, ended.then(() => parsed.trim())]),
    async stop() {
      end()
      await ended
      process.off('exit', end)
    },
  }
}
