// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { root } from '../prepare/root.mjs'

const main = pathToFileURL(join(root, 'dist', 'server', 'main.js')).href
const warm = fileURLToPath(new URL('warm.mjs', import.meta.url))

/**
 * Runs the built server on a port of its own that stays the same from start to start. The process for the next
 * start waits with the packages loaded, which is most of what a start takes.
 */
export async function createChild() {
  const port = await freePort()
  /** @type {import('node:child_process').ChildProcess | null} */
  let running = null
  /** @type {import('node:child_process').ChildProcess | null} */
  let next = null

  /** @param {readonly string[]} packages */
  const prepare = packages =>
    spawn(process.execPath, [warm, ...packages], {
      cwd: root,
      env: { ...process.env, HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Ctrl+C reaches every process of the terminal's group: this one alone tells the server to stop.
      detached: true,
    })

  return {
    port,
    /**
     * @param {readonly string[]} packages what the server imports
     * @returns {Promise<boolean>} whether it listens; `false` when it has ended, and has said why
     */
    async start(packages) {
      running = next !== null && !hasEnded(next) ? next : prepare(packages)
      running.send(main)
      while (!hasEnded(running) && !(await accepts(port))) await sleep(5)
      next = prepare(packages)
      return !hasEnded(running)
    },
    /** Resolves when the server has finished what is under way and given back the store, which one alone may open. */
    async stop() {
      if (running !== null) await end(running)
    },
    /** Stops everything. */
    async close() {
      await Promise.all([running, next].map(child => child && end(child)))
    },
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no port to listen on')
  return address.port
}

/** @param {number} port @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
