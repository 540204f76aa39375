/**
 * The process of a server that `sixpane` commands share. It stops the server when the last of them has left. The system
 * closes the connection of a killed command, so the count is always right.
 *
 * Arguments: the entry file of the server, the path of the socket, and the server's port. File descriptor 3 is the command
 * that started it.
 */
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectTo } from './join-server.ts'

const [, , serverFile = '', socketPath = '', port = ''] = process.argv
const users = new Set<Socket>()
let isStarted = false
let isStopping = false

// The reader of the error output may have left.
process.stderr.on('error', () => {})
// Other users of this machine may not join.
process.umask(0o077)
await listen()
addUser(new Socket({ fd: 3, allowHalfOpen: true }))
await import(pathToFileURL(serverFile).href)
isStarted = true
if (users.size === 0) stop()
for (const user of users) user.write('started\n')

/** Exits if another process is listening. */
async function listen(): Promise<void> {
  mkdirSync(dirname(socketPath), { recursive: true })
  if (await hasListened()) return
  if ((await connectTo(socketPath)) !== null) process.exit(1)
  // A killed process has left its socket behind.
  rmSync(socketPath, { force: true })
  if (!(await hasListened())) process.exit(1)
}

/** Returns `false` if the socket exists. */
async function hasListened(): Promise<boolean> {
  const server = createServer({ allowHalfOpen: true }, addUser).listen(socketPath)
  try {
    await once(server, 'listening')
    process.once('exit', () => rmSync(socketPath, { force: true }))
    return true
  } catch (error) {
    // For other reasons, such as a long path, the server runs for one command only.
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
  }
}

function addUser(user: Socket): void {
  user.on('error', () => {})
  // The connection closes when this process ends, and the command then looks for a server again.
  if (isStopping) return
  users.add(user)
  user.on('end', () => removeUser(user)).on('close', () => removeUser(user))
  user.resume()
  user.write(`${port}\n${isStarted ? 'started\n' : ''}`)
}

/** The connection of the last user stays open until the store is closed. */
function removeUser(user: Socket): void {
  if (!users.delete(user)) return
  if (users.size > 0) user.end()
  else if (isStarted) stop()
}

function stop(): void {
  isStopping = true
  process.kill(process.pid, 'SIGTERM')
}
