/** Tests that the built server protects its files, and reports in one line each problem that prevents it from starting. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, stat, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startServer } from '../scripts/test/server.ts'
import { readConfig } from './settings/config.ts'
import { openStore } from './store/open-store.ts'

const main = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))

function spawnServer(env: Record<string, string>, cwd?: string) {
  return spawn(process.execPath, [main], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Starts the server with only these environment variables and waits until it exits. */
async function start(env: Record<string, string>, cwd?: string) {
  const child = spawnServer(env, cwd)
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, stderr, lines: stderr.trimEnd().split('\n') }
}

t.test('other users cannot read the store files', async t => {
  const folder = join(t.testdir({}), 'store')
  const server = await startServer({}, { folder })
  t.teardown(() => server.stop())
  await server.send({ msg: 'hello' })
  for (const file of [folder, ...(await readdir(folder)).map(name => join(folder, name))]) {
    t.equal((await stat(file)).mode & 0o077, 0, file)
  }
})

t.test('without a public URL, links lead to the port that the system chose', async t => {
  const server = await startServer({ PORT: '0' })
  t.teardown(() => server.stop())
  const settings = await (await fetch(`${server.origin}/settings`)).text()
  t.match(settings, `>${server.origin}<`)
  t.notMatch(settings, '127.0.0.1:0')
})

t.test('a signal during startup ends the process, even if the kernel would ignore it', async t => {
  const database = createServer().listen(0, '127.0.0.1')
  t.teardown(() => database.close())
  await once(database, 'listening')
  const address = database.address()
  const port = typeof address === 'object' ? address?.port : ''
  const server = spawnServer({ SIXPANE_STORE: `clickhouse://app:secret@127.0.0.1:${port}/logs?tls=off` })
  const exited = once(server, 'exit')
  // Startup waits for the database, which never responds.
  await Promise.race([once(database, 'connection'), exited])
  server.kill('SIGTERM')
  t.same(await exited, [0, null], 'the process handles the signal itself')
})

t.test('reports that the port is in use', async t => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { code, lines } = await start({ PORT: port, SIXPANE_DATA: t.testdir({}) })
  t.equal(code, 1)
  t.match(lines, [/^Sixpane: .*port \d+ is taken.* PORT /])
  t.equal(lines.length, 1)
  t.match(lines[0], port, 'the line contains the port')
})

t.test('reports the names of all invalid environment variables, but no values', async t => {
  const secret = 'hunter2'
  const { code, lines, stderr } = await start({
    HOST: `${secret}.example`,
    PORT: secret,
    LOG_LEVEL: secret,
    SIXPANE_PASSWORD: secret,
    SIXPANE_AUTH: secret,
    SIXPANE_DRILL: secret,
    SIXPANE_RETENTION_DAYS: secret,
    SIXPANE_RETENTION_GB: secret,
    SIXPANE_INGEST_LIMIT_MB: secret,
    SIXPANE_DATA: t.testdir({}),
  })
  t.equal(code, 1)
  for (const name of [
    'HOST',
    'PORT',
    'LOG_LEVEL',
    'SIXPANE_PASSWORD',
    'SIXPANE_AUTH',
    'SIXPANE_DRILL',
    'SIXPANE_RETENTION_DAYS',
    'SIXPANE_RETENTION_GB',
    'SIXPANE_INGEST_LIMIT_MB',
  ]) {
    t.equal(lines.filter(line => line.startsWith(`Sixpane: ${name} must `)).length, 1, name)
  }
  t.equal(lines.length, 9)
  t.notMatch(stderr, secret)
})

t.test('reports a non-loopback address without a password', async t => {
  const { code, lines } = await start({ HOST: '0.0.0.0', PORT: '0', SIXPANE_DATA: t.testdir({}) })
  t.equal(code, 1)
  t.match(lines, [/^Sixpane: HOST .*SIXPANE_PASSWORD.*SIXPANE_AUTH=proxy or none/])
  t.equal(lines.length, 1)
})

t.test('reports that the data folder is not writable', async t => {
  const folder = t.testdir({ 'a-file': '', locked: {} })
  await chmod(join(folder, 'locked'), 0o500)
  const unwritable = [join(folder, 'a-file'), join(folder, 'a-file', 'inside')]
  // root can write to every folder except those of virtual file systems.
  if (process.getuid?.() !== 0) unwritable.push(join(folder, 'locked'))
  if (process.platform === 'linux') unwritable.push('/sys/sixpane')
  // Linux reports that the new folder in /proc does not exist, instead of denying permission.
  if (process.platform === 'linux') unwritable.push('/proc/sixpane', '/proc/sixpane/data', '/proc')
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling'))
  unwritable.push(join(folder, 'dangling'), join(folder, 'dangling', 'data'))
  for (const SIXPANE_DATA of unwritable) {
    const opening = openStore(readConfig({ SIXPANE_DATA }), { error() {}, warn() {}, info() {} })
    await t.rejects(opening, { name: 'StoreUnavailableError', message: /^.*SIXPANE_DATA.*$/ }, SIXPANE_DATA)
  }
  const { code, lines } = await start({ PORT: '0', SIXPANE_DATA: join(folder, 'a-file') })
  t.equal(code, 1)
  t.match(lines, [/^Sixpane: .*SIXPANE_DATA/])
  t.equal(lines.length, 1)
})

t.test('reports that another process uses the store', async t => {
  const folder = t.testdir({})
  const server = await startServer({ SIXPANE_DATA: folder })
  t.teardown(async () => void (await server.stop()))
  const { code, lines } = await start({ PORT: '0', SIXPANE_DATA: folder })
  t.equal(code, 1)
  t.match(lines, [/^Sixpane: .*in use by another process.*SIXPANE_DATA/])
  t.equal(lines.length, 1)
  t.equal((await fetch(`${server.origin}/readyz`)).status, 200, 'the first process still responds')
})
