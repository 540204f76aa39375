import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { startClickHouse } from '../scripts/test/clickhouse.ts'
import { startServer } from '../scripts/test/server.ts'
import { reservePort } from '../shared/testing/reserve-port.ts'
import { until } from '../shared/testing/until.ts'
import { runCopy } from './copy/run-copy.ts'
import { allEventsOf, eventsWithIds, notAborted } from './copy/testing.ts'
import type { Environment } from './settings/setting.ts'
import { connect } from './store/clickhouse/engine/connection.ts'
import { parseServerAddress } from './store/clickhouse/engine/server-address.ts'
import { raw } from './store/common/sql.ts'
import { openDuckDbStore } from './store/duckdb/store.ts'

const command = join(import.meta.dirname, '..', 'dist', 'cli', 'main.js')
const program = join(import.meta.dirname, '..', 'dist', 'server', 'copy.js')
const password = 'battery-staple'
const clickHouse = await startClickHouse(t)

/** The address of a database, with a password that no output may contain. */
function databaseOf(name: string): string {
  return `clickhouse://default:${password}@${clickHouse.host}/copy_command_${process.pid}_${name}?tls=off`
}

/** Runs the copy in this process. Returns its exit code and all output. */
async function copy(t: Test, args: string[], environment: Environment = {}) {
  let output = ''
  const print = (text: string) => {
    output += text
  }
  const options = { args, environment, signal: notAborted, isTerminal: false, print, printError: print }
  const code = await runCopy(options)
  t.notMatch(output, password)
  return { code, output }
}

/** Runs the built `sixpane copy`. Returns its exit code and all output. */
async function copyCommand(t: Test, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [command, 'copy', ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  t.notMatch(output + errors, password)
  return { code, output: output + errors }
}

async function folderWith(folder: string, count: number): Promise<void> {
  const store = await openDuckDbStore({ folder, preparesSegments: false })
  await store.importEvents(eventsWithIds(Array.from({ length: count }, (_, index) => index)))
  await store.savedSearches.save({ id: 'search', name: 'Slow', view: '', createdMs: 1 })
  await store.close()
}

t.test('copies from a running server, and newer events from its folder after it has stopped', async t => {
  const folder = t.testdir({ data: {}, back: { 'lost+found': {} } })
  const server = await startServer({}, { folder: join(folder, 'data') })
  t.teardown(() => server.stop())
  await server.send({ service: 'shop', message: 'first' })
  await writeFile(join(folder, 'store'), `${databaseOf('running')}\n`)
  const target = ['--to-file', join(folder, 'store')]
  t.match(await copyCommand(t, ['--from', join(folder, 'data'), ...target]), {
    code: 1,
    output:
      /a running Sixpane server uses .*data. Copy from its address while it runs, for example --from http/,
  })
  const first = await copyCommand(t, ['--from', server.origin, ...target], { TMPDIR: t.testdirName })
  t.match(first, { code: 0, output: /The target contains everything in the source/ })
  await server.send({ service: 'shop', message: 'second' })
  await server.stop()
  const second = await copy(t, ['--from', join(folder, 'data'), ...target])
  t.match(second, { code: 0, output: /The target contains everything in the source/ })
  t.match(await copy(t, ['--from', join(folder, 'data'), ...target]), {
    code: 0,
    output: / Copied 0 missing events/,
  })

  const replica = await startServer({ SIXPANE_STORE: databaseOf('running') })
  t.teardown(() => replica.stop())
  await replica.send({ service: 'shop', message: 'third' })
  await replica.stop()
  const back = ['--from', databaseOf('running'), '--to', join(folder, 'back')]
  t.match(await copy(t, back), { code: 0 })
  const store = await openDuckDbStore({ folder: join(folder, 'back') })
  const sent = (await allEventsOf(store)).filter(({ service }) => service === 'shop')
  t.same(
    sent.map(({ body }) => body),
    ['first', 'second', 'third'],
  )
  await store.close()
})

t.test('needs a token with the permission to download backups', async t => {
  const server = await startServer({ SIXPANE_PASSWORD: password })
  t.teardown(() => server.stop())
  const args = ['--from', server.origin, '--to', join(t.testdir({}), 'target')]
  const rejected = { code: 1, output: /responded with 401: .*Set SIXPANE_TOKEN to a token/ }
  t.match(await copy(t, args), rejected)
  t.match(await copyCommand(t, args, { SIXPANE_TOKEN: 'wrong' }), rejected)
})

t.test('resumes after the process is killed', async t => {
  const folder = t.testdir({})
  await folderWith(join(folder, 'data'), 20_000)
  const args = ['--from', join(folder, 'data'), '--to', databaseOf('killed')]
  const address = parseServerAddress(databaseOf('killed'))
  if (address === null) throw new TypeError('Not a server address')
  const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const connection = connect({ ...address, database: 'system' })
  const isStored = async () => {
    const query = raw(`SELECT count() AS rows FROM ${address.database}.event`)
    const [row] = await connection.select(query).catch(() => [])
    return Number(row?.rows ?? 0) > 0
  }
  await until(async () => child.exitCode !== null || (await isStored()))
  child.kill('SIGKILL')
  await exited
  await connection.close()
  const resumed = await copy(t, args)
  t.match(resumed, { code: 0, output: /The target contains everything in the source/ })
  t.match(resumed.output, /The source has 20,000 events from 1 hour/)
  t.match(await copy(t, args), { code: 0, output: / Copied 0 missing events/ })
})

t.test('explains why a copy is not possible', async t => {
  const folder = t.testdir({ empty: {}, other: { file: '' }, target: {} })
  await folderWith(join(folder, 'data'), 3)
  const port = await reservePort(t)
  const newer = parseServerAddress(databaseOf('newer'))
  t.match(await copy(t, ['--from', join(folder, 'data'), '--to', databaseOf('newer')]), { code: 0 })
  if (newer === null) throw new TypeError('Not a server address')
  const connection = connect(newer)
  await connection.insert('schema_version', ['version'], [[1000]])
  await connection.close()

  const data = join(folder, 'data')
  const cases: [from: string, to: string, expected: RegExp][] = [
    [data, `${data}/../data`, /--from and --to are the same store/],
    [databaseOf('a'), databaseOf('a'), /--from and --to are the same store/],
    [join(folder, 'empty'), join(folder, 'target'), /empty contains no Sixpane data/],
    [join(folder, 'missing'), join(folder, 'target'), /missing contains no Sixpane data/],
    [data, join(folder, 'other'), /other contains other files. Set --to to an empty folder/],
    [
      databaseOf('nothing'),
      join(folder, 'target'),
      /database copy_command_\d+_nothing contains no Sixpane data/,
    ],
    [data, databaseOf('newer'), /written by a newer version of Sixpane/],
    [data, `clickhouse://a:${password}@127.0.0.1:${port}/logs?tls=off`, /cannot be reached: check --to/],
    [data, `clickhouse://a:${password}@127.0.0.1`, /--to must be an address such as clickhouse:/],
    [data, `postgres://a:${password}@127.0.0.1/logs`, /--to must be a data folder or an address such as/],
    [`http://127.0.0.1:${port}`, join(folder, 'target'), /cannot be reached \(ECONNREFUSED\). Check --from/],
    [`http://a:${password}@127.0.0.1`, join(folder, 'target'), /must not contain credentials/],
    [data, 'http://127.0.0.1:3000', /a running Sixpane server cannot be the target/],
  ]
  for (const [from, to, expected] of cases) {
    t.match(await copy(t, ['--from', from, '--to', to]), { code: 1, output: expected })
  }
  const noFile = ['--from', data, '--to-file', join(folder, 'nofile')]
  t.match(await copy(t, noFile), {
    code: 1,
    output: /--to-file must name a file that can be read \(ENOENT\)/,
  })
})
