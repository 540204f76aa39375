import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { errorCode } from '../../shared/error-code.ts'
import { isLiveness } from '../../shared/liveness.ts'
import { paths } from '../../shared/paths.ts'
import { missingServer } from './find-server.ts'
import { joinServer, readServer, socketIn } from './join-server.ts'

const sharedServerFile = fileURLToPath(new URL('shared-server.js', import.meta.url))

/** Checks what is listening at an address: Sixpane, another server or nothing. */
export async function probeServer(origin: string): Promise<'sixpane' | 'none' | 'other'> {
  try {
    const response = await fetch(new URL(paths.livez(), origin), { signal: AbortSignal.timeout(2000) })
    return isLiveness(await response.json()) ? 'sixpane' : 'other'
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

/** A server on this machine, which the command started or joined. */
export type LocalServer = {
  port: number
  /** Whether another command started the server. */
  isJoined: boolean
  /** Resolves with `null` when the server is listening, or with its error output if it exits first. */
  started: Promise<string | null>
  /** Resolves with the error output when the server has exited. */
  ended: Promise<string>
  /** Leaves the server. If no other command uses it, resolves after the server has closed its store and stopped. */
  leave(): Promise<void>
}

/** Joins the server that another command started for this data folder. Returns `null` if there is none. */
export async function joinLocalServer(dataFolder: string): Promise<LocalServer | null> {
  const joined = await joinServer(socketIn(dataFolder))
  if (joined === null) return null
  const ended = joined.closed.then(() => '')
  const started = joined.started.then(isStarted =>
    isStarted ? null : 'the server that another command started has stopped',
  )
  return { ...joined, isJoined: true, started, ended }
}

/**
 * Starts a server as a child process, which other commands can join. If another command has just started one, joins it
 * instead. The server's log is not printed, because the store contains the same lines.
 * @param mainFile the entry file of the built server; `null` if it is not installed
 */
export async function startLocalServer(
  mainFile: string | null,
  env: Readonly<Record<string, string | undefined>>,
  { port, dataFolder }: { port: number; dataFolder: string },
): Promise<LocalServer> {
  if (mainFile === null)
    return failedServer(
      port,
      `${missingServer}, or set SIXPANE_URL to the address of a running Sixpane server`,
    )
  const child = spawn(process.execPath, [sharedServerFile, mainFile, socketIn(dataFolder), String(port)], {
    env: { ...env, HOST: '127.0.0.1', PORT: String(port), SIXPANE_DATA: dataFolder },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // Detached, because Ctrl+C signals the whole process group, and the server must store pending events before it stops.
    detached: true,
    windowsHide: true,
  })
  const [, , errors, connection] = child.stdio
  if (errors === null || !(connection instanceof Socket)) throw new Error('A pipe to the server is missing')
  let errorOutput = ''
  errors.setEncoding('utf8').on('data', text => {
    errorOutput = (errorOutput + text).slice(-2000)
  })
  const ended = new Promise<string>(resolve => {
    child.once('close', () => resolve(errorOutput.trim()))
    child.once('error', error => resolve(error.message))
  })
  const server = await readServer(connection)
  if (server === null) return (await joinLocalServer(dataFolder)) ?? failedServer(port, await ended)
  return {
    port,
    isJoined: false,
    started: server.started.then(isStarted => (isStarted ? null : ended)),
    ended,
    async leave() {
      await server.leave()
      // If other commands still use the server, it outlives this process.
      errors.destroy()
      child.unref()
    },
  }
}

function failedServer(port: number, problem: string): LocalServer {
  const ended = Promise.resolve(problem)
  return { port, isJoined: false, started: ended, ended, leave: async () => {} }
}
