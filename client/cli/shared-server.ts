/**
 * The server process that `sixpane` commands share. Each command keeps a connection open, and the server stops when the
 * last connection is closed. The operating system closes the connection of a killed command.
 *
 * Arguments: the entry file of the server, the path of the socket, and the server's port. File descriptor 3 is the
 * connection to the command that started this process.
 */
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorCode } from '../../shared/error-code.ts'
import { connectTo } from './join-server.ts'

const [, , serverFile = '', socketPath = '', port = ''] = process.argv
const users = new Set<Socket>()
let isStarted = false
let isStopping = false

// The command that reads the error output may have exited.
process.stderr.on('error', () => {})
// Prevents other users of this machine from joining.
process.umask(0o077)
await listen()
addUser(new Socket({ fd: 3, allowHalfOpen: true }))
await import(pathToFileURL(serverFile).href)
isStarted = true
if (users.size === 0) stop()
for (const user of users) user.write('started\n')

/** Listens for other commands. Exits if another process already does. */
async function listen(): Promise<void> {
  mkdirSync(dirname(socketPath), { recursive: true })
  if (await tryToListen()) return
  if ((await connectTo(socketPath)) !== null) process.exit(1)
  // A killed process has left its socket behind.
  rmSync(socketPath, { force: true })
  if (!(await tryToListen())) process.exit(1)
}

/** Tries to listen. Returns `false` if the socket already exists. */
async function tryToListen(): Promise<boolean> {
  const server = createServer({ allowHalfOpen: true }, addUser).listen(socketPath)
  try {
    await once(server, 'listening')
    process.once('exit', () => rmSync(socketPath, { force: true }))
    return true
  } catch (error) {
    // After any other error, such as a path that is too long, the server starts, but other commands cannot find it.
    return errorCode(error) !== 'EADDRINUSE'
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
