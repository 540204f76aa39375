import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A command's connection to the server that it shares with other commands (`shared-server.ts`). */
export type JoinedServer = {
  port: number
  /** Resolves with `true` when the server is listening, or with `false` if it exits first. */
  started: Promise<boolean>
  /** Resolves when the server has exited, or when this command has left it. */
  closed: Promise<void>
  /** Leaves the server. If no other command uses it, waits until its store is closed. */
  leave(): Promise<void>
}

/**
 * Returns the path of the socket on which a server listens for commands. Commands with the same data folder share a server,
 * because only one process can open the store.
 */
export function socketIn(dataFolder: string): string {
  return join(dataFolder, 'commands.sock')
}

/** Connects to a socket in the file system. Returns `null` if no process is listening on it. */
export async function connectTo(path: string): Promise<Socket | null> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return null
  }
}

/**
 * Joins a server that other commands use. Returns `null` if there is none. If the server is stopping, waits until it has
 * exited, and returns `null`.
 */
export async function joinServer(socketPath: string): Promise<JoinedServer | null> {
  const connection = await connectTo(socketPath)
  return connection === null ? null : readServer(connection)
}

/** Reads the port that the server sends. Returns `null` if the connection closes first. */
export async function readServer(connection: Socket): Promise<JoinedServer | null> {
  // An error without a listener would end the process. The `close` event that follows it is handled below.
  connection.on('error', () => {})
  const closed = new Promise<void>(resolve => connection.once('close', () => resolve()))
  const lines = createInterface({ input: connection })[Symbol.asyncIterator]()
  const first = await lines.next()
  if (first.done === true) return null
  return {
    port: Number(first.value),
    started: lines.next().then(({ done }) => done !== true),
    closed,
    async leave() {
      connection.end()
      await closed
    },
  }
}
