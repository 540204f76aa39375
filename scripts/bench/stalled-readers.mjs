// @ts-check
/**
 * Opens 100 live feeds of one client that never read while large events arrive, and then one more of another client.
 *
 * node scripts/bench/stalled-readers.mjs [seconds] [main file of the built server]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../prepare/root.mjs'

const [seconds = '30', main = join(root, 'dist', 'server', 'main.js')] = process.argv.slice(2)
const readerCount = 100
/** @param {number} count @param {number} length */
const lines = (count, length) =>
  Array.from({ length: count }, () => JSON.stringify({ msg: 'x'.repeat(length) })).join('\n')
const burst = lines(200, 60_000)
const body = lines(100, 10_000)

const folder = await mkdtemp(join(tmpdir(), 'sixpane-stalled-'))
const env = { PATH: process.env.PATH, PORT: '0', SIXPANE_DATA: folder, SIXPANE_TRUST_PROXY: '127.0.0.1' }
const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
let disconnected = 0
/** @type {string} */
const origin = await new Promise(resolve => {
  createInterface({ input: child.stdout }).on('line', line => {
    const { msg, address } = JSON.parse(line)
    if (msg.startsWith('Disconnected')) disconnected++
    if (msg === 'Started') resolve(address)
  })
})

/** @param {string} client */
function open(client) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(`GET /live HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`)
  socket.on('error', () => {})
  return socket
}

/** @param {string} client */
async function statusOf(client) {
  const socket = open(client)
  const [head] = await once(socket, 'data')
  socket.destroy()
  return String(head).slice(9, 12)
}

const rssMb = async (/** @type {string} */ name) => {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

try {
  const beforeMb = await rssMb('VmRSS')
  const readers = Array.from({ length: readerCount }, () => open('192.0.2.1').pause())
  const endMs = Date.now() + Number(seconds) * 1000
  let requests = 0
  for (; requests < 150 && Date.now() < endMs; requests++) {
    const response = await fetch(new URL('/ingest', origin), {
      method: 'POST',
      body: requests === 0 ? burst : body,
    })
    await response.arrayBuffer()
    if (requests === 19) {
      console.log(`Reader ${readerCount + 1} after 20 requests: status ${await statusOf('198.51.100.1')}`)
    }
    await new Promise(resolve => setTimeout(resolve, 1000))
  }
  console.log(`${requests} requests; ${disconnected} readers disconnected`)
  console.log(`Reader ${readerCount + 1} at the end: status ${await statusOf('198.51.100.2')}`)
  console.log(
    `RSS: ${beforeMb} MB before, ${await rssMb('VmHWM')} MB at most, ${await rssMb('VmRSS')} MB after`,
  )
  for (const reader of readers) reader.destroy()
} finally {
  child.kill('SIGTERM')
  await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
}
