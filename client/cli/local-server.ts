import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { errorCode } from '../../shared/error-code.ts'
import { paths } from '../../shared/paths.ts'
import { missingServer } from './find-server.ts'

/** Checks what is listening at an address: Sixpane, another server or nothing. */
export async function probeServer(origin: string): Promise<'sixpane' | 'none' | 'other'> {
  try {
    const response = await fetch(new URL(paths.livez(), origin), { signal: AbortSignal.timeout(2000) })
    const parsed: unknown = await response.json()
    return response.ok && typeof parsed === 'object' && parsed !== null && 'status' in parsed
      ? 'sixpane'
      : 'other'
  } catch (error) {
    const code = error instanceof Error ? errorCode(error.cause) : null
    return code === 'ECONNREFUSED' ? 'none' : 'other'
  }
}

/** Finds a free port on this machine. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

export type LocalServer = {
  /** Resolves with `null` when the server is listening, or with its error output if it exits first. */
  started: Promise<string | null>
  /** Resolves with the error output when the server has exited. */
  ended: Promise<string>
  /** Stops the server and waits until its store is closed. */
  stop(): Promise<void>
}

/**
 * Starts Sixpane as a child process. Its log is not printed, because the store contains the same lines.
 * @param mainFile the entry file of the built server; `null` if it is not installed
 */
export function startLocalServer(
  mainFile: string | null,
  env: Readonly<Record<string, string | undefined>>,
): LocalServer {
  if (mainFile === null) {
    const ended = Promise.resolve(missingServer)
    return { started: ended, ended, stop: async () => {} }
  }
  const child = spawn(process.execPath, [mainFile], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Detached, because Ctrl+C signals the whole process group, and the server must store pending events before it stops.
    detached: true,
    windowsHide: true,
  })
  const stopChild = () => void child.kill('SIGTERM')
  process.once('exit', stopChild)
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    errorOutput = (errorOutput + text).slice(-2000)
  })
  const ended = new Promise<string>(resolve => {
    child.once('close', () => resolve(errorOutput.trim()))
    child.once('error', error => resolve(error.message))
  })
  const listens = new Promise<null>(resolve => {
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.includes('"msg":"Started"')) resolve(null)
    })
  })

  return {
    started: Promise.race([listens, ended]),
    ended,
    async stop() {
      stopChild()
      await ended
      process.off('exit', stopChild)
    },
  }
}
