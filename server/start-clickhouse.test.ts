/** Tests that the built server starts with ClickHouse or reports in one line why it cannot, and never shows the password. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { startClickHouse } from '../scripts/test/clickhouse.ts'
import { startServer } from '../scripts/test/server.ts'
import { paths } from '../shared/paths.ts'
import { reservePort } from '../shared/testing/reserve-port.ts'
import { readConfig } from './settings/config.ts'
import { connect } from './store/clickhouse/engine/connection.ts'
import { parseServerAddress } from './store/clickhouse/engine/server-address.ts'
import { type OpenedStore, openStore } from './store/open-store.ts'
import { StoreUnavailableError } from './store/store.ts'

const dist = join(import.meta.dirname, '..', 'dist')
const user = 'console-app'
const password = 'pass/word&42'
const credentials = `${user}:${encodeURIComponent(password)}`
const clickHouse = await startClickHouse(t)

function addressOf(origin: string, database: string): string {
  return `clickhouse://${credentials}@${origin}/${database}?tls=off`
}

const databaseOf = (name: string) => addressOf(clickHouse.host, `${name}_${process.pid}`)

/** Whether text contains the password in any form. */
function hasPassword(all: string): boolean {
  return [password, encodeURIComponent(password), Buffer.from(`${user}:${password}`).toString('base64')].some(
    each => all.includes(each),
  )
}

/** Runs a program of the build until it exits. */
async function run(program: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(dist, program), ...args], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errorOutput, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, output, lines: errorOutput.trimEnd().split('\n') }
}

/** Opens the store as the server does when it starts. */
async function open(SIXPANE_STORE: string): Promise<OpenedStore> {
  return openStore(readConfig({ SIXPANE_STORE }), { error() {}, warn() {}, info() {} })
}

/** Starts a server that responds to each statement with this error. */
async function failingClickHouse(t: Test, code: number, message: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response
      .writeHead(500, { 'x-clickhouse-exception-code': String(code) })
      .end(`Code: ${code}. DB::Exception: ${message}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

t.test("starts, and logs the store's address without credentials", async t => {
  const server = await startServer({ SIXPANE_STORE: databaseOf('starts') })
  t.teardown(() => server.stop())
  await server.send({ service: 'shop', message: 'hello' })
  t.equal((await fetch(server.origin + paths.readyz())).status, 200)
  const page = await (await fetch(server.origin + paths.settings())).text()
  const where = `ClickHouse at ${clickHouse.host}, database starts_${process.pid}`
  t.match(page, where)
  t.match(await server.line(({ msg }) => msg === 'Started'), { store: where })
  await server.stop()
  const shown = page + JSON.stringify(server.lines)
  t.notOk(hasPassword(shown))
  t.notMatch(shown, user)
})

t.test('reads the address from a file', async t => {
  const folder = t.testdir({ store: databaseOf('file') })
  const server = await startServer({ SIXPANE_STORE_FILE: join(folder, 'store') })
  t.teardown(() => server.stop())
  t.match(await server.line(({ msg }) => msg === 'Started'), { store: /^ClickHouse/ })
})

t.test('the events remain after a restart with another data folder', async t => {
  const env = { SIXPANE_STORE: databaseOf('restart') }
  const first = await startServer(env)
  t.teardown(() => first.stop())
  await first.send({ service: 'shop', message: 'from the first process' })
  await first.stop()
  const second = await startServer(env)
  t.teardown(() => second.stop())
  const response = await fetch(second.origin + paths.export({ format: 'ndjson', range: { span: '1h' } }))
  t.match(await response.text(), 'from the first process')
})

t.test('refuses to make or restore backups of ClickHouse', async t => {
  const folder = t.testdir({ data: {}, file: '' })
  const env = { SIXPANE_STORE: databaseOf('backup'), SIXPANE_DATA: join(folder, 'data') }
  const server = await startServer(env)
  t.teardown(() => server.stop())
  const response = await fetch(server.origin + paths.backup())
  t.match(await response.json(), { message: /ClickHouse. Back up that database with its own tools/ })
  t.equal(response.status, 501)
  t.match(await run('cli/main.js', ['backup', join(folder, 'new')], { SIXPANE_URL: server.origin }), {
    code: 1,
    lines: [/responded with 501: .*Back up that database with its own tools/],
  })
  const restored = await run('cli/main.js', ['restore', join(folder, 'file')], env)
  t.match(restored, { code: 1, lines: [/^Sixpane: the backup cannot be restored: .*SIXPANE_STORE is set/] })
  t.notOk(hasPassword(restored.lines.join()))
})

t.test('reports in one line why it cannot start', async t => {
  const newer = databaseOf('newer')
  await open(newer).then(({ store }) => store.close())
  const parsed = parseServerAddress(newer)
  if (parsed === null) throw new TypeError('Not a server address')
  const connection = connect(parsed)
  await connection.insert('schema_version', ['version'], [[1000]])
  await connection.close()
  const failingWith = async (code: number, message: string) =>
    addressOf(await failingClickHouse(t, code, message), 'logs')

  const cases = {
    unreachable: [
      addressOf(`127.0.0.1:${await reservePort(t)}`, 'logs'),
      /ClickHouse at http:\/\/127\.0\.0\.1:\d+ cannot be reached: check SIXPANE_STORE/,
    ],
    'no TLS': [
      `clickhouse://${credentials}@${clickHouse.host}/logs`,
      /ClickHouse at https:\/\/127\.0\.0\.1:\d+ cannot be reached: check SIXPANE_STORE/,
    ],
    'a wrong password': [
      await failingWith(516, `${user}: Authentication failed. (AUTHENTICATION_FAILED) (version 26.5.1)`),
      /ClickHouse rejected the user or password in SIXPANE_STORE/,
    ],
    'a missing privilege': [
      await failingWith(
        497,
        `${user}: Not enough privileges. To execute this query, it's necessary to have the grant CREATE TABLE ON logs.schema_version. (ACCESS_DENIED)`,
      ),
      /The ClickHouse user lacks a privilege \(.*grant CREATE TABLE ON logs/,
    ],
    'a read-only user': [
      await failingWith(164, `${user}: Cannot execute query in readonly mode. (READONLY)`),
      /The ClickHouse user is read-only, or the server has lost its connection to Keeper/,
    ],
    'a newer version': [newer, /written by a newer version of Sixpane: start that version/],
    'an unexpected error': [
      await failingWith(80, 'Unknown Index type text.\nStack trace: 0. in /usr/bin (INCORRECT_QUERY)'),
      /^the ClickHouse database cannot be used: .*Unknown Index type text.*sixpane doctor/,
    ],
    'a folder': ['./data', /SIXPANE_STORE must be .*For a folder, set SIXPANE_DATA instead/],
  } satisfies Record<string, [string, RegExp]>
  for (const [name, [address, message]] of Object.entries(cases)) {
    const problem = await open(address).then(
      () => '',
      error => String(error instanceof StoreUnavailableError ? error.message : error),
    )
    t.match(problem, message, name)
    t.notMatch(problem, '\n', name)
    t.notOk(hasPassword(problem), name)
  }
  for (const [SIXPANE_STORE, message] of [cases['a wrong password'], cases['a folder']]) {
    const { code, output, lines } = await run('server/main.js', [], {
      SIXPANE_STORE,
      SIXPANE_DATA: t.testdir({}),
    })
    t.equal(code, 1)
    t.equal(lines.length, 1)
    t.match(lines[0], message)
    t.match(lines[0], /^Sixpane: /)
    t.notOk(hasPassword(output + lines.join()))
  }
})
