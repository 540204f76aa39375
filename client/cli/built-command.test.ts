/** Runs the built command in a shell, usually with the output of another process piped in. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { reservePort } from '../../shared/testing/reserve-port.ts'
import { until } from '../../shared/testing/until.ts'

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** A service that logs with and without pino, then crashes. */
const crashing = `
import { pino } from 'pino'
const log = pino({ name: 'shop' })
console.log('listening on 3000')
log.info({ reqId: 'req-1', status: 200, durationMs: 12 }, 'served')
log.error({ err: Object.assign(new RangeError('too many'), { digest: '11111' }) }, 'refused')
const cause = new TypeError("Cannot read properties of null (reading 'total')")
console.error(' ⨯', Object.assign(new Error('checkout failed', { cause }), { digest: '2338471' }))
console.log('\\u001b[33m[warn]\\u001b[39m the cart is slow ü')
process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a]))
function total() { throw new Error('the till is empty') }
total()
`

type Project = { folder: string; env: Record<string, string | undefined> }

/** Creates a project with the program as its `app.js`. Events without a service belong to `service`. */
async function project(
  program: string,
  env: Record<string, string> = {},
  service = 'till',
): Promise<Project> {
  // Created inside the repository, so that Node.js can resolve pino.
  const folder = t.testdir({})
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: service, type: 'module' }))
  await writeFile(join(folder, 'app.js'), program)
  return { folder, env: { PATH: process.env.PATH, HOME: folder, ...env } }
}

/**
 * Runs a shell command that can call the built `sixpane`. The shell is detached, so that tests can signal its process group.
 * Processes that a failed test has left running are killed after the last test.
 */
function shell({ folder, env }: Project, line: string): ChildProcess {
  const words = line
    .replaceAll('sixpane', `"${process.execPath}" "${command}"`)
    .replaceAll('node ', `"${process.execPath}" `)
  const child = spawn('sh', ['-c', words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let isRunning = true
  child.once('close', () => {
    isRunning = false
  })
  t.teardown(() => isRunning && process.kill(-Number(child.pid), 'SIGKILL'))
  return child
}

async function ended(child: ChildProcess) {
  if (child.stdout === null || child.stderr === null) throw new Error('A pipe is missing')
  const [output, errorOutput, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  // On a busy machine, the server may take more than two seconds to store the events.
  return { output, errorOutput: errorOutput.replace(/^Sixpane: waiting up to 30 seconds.*\n/m, ''), code }
}

/** A server for the tests that only send events to it. Each test uses different services. */
const server = await startServer()
t.teardown(async () => void (await server.stop()))

/** Returns the exported events that match a search. */
async function found(origin: string, q: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(origin + paths.export({ q, format: 'ndjson' }))
  return (await response.text())
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

t.test('stores everything that a crashing service prints, and passes it through unchanged', async t => {
  const here = await project(crashing, { SIXPANE_URL: server.origin })
  const { errorOutput, code } = await ended(
    shell(here, 'node app.js 2>&1 | tee printed | sixpane --release 1.4.0 > passed'),
  )
  t.equal(errorOutput, '')
  t.equal(code, 0)
  const [printed, passed] = await Promise.all(
    ['printed', 'passed'].map(name => readFile(join(here.folder, name))),
  )
  t.ok(printed?.equals(passed ?? Buffer.of()), 'the output is unchanged')

  const own = '(service:till OR service:shop)'
  const events = (await found(server.origin, own)).toReversed()
  for (const { source } of events) t.equal(source, 'stdin')
  t.match(events.map(({ service, severity, release }) => [service, severity, release]).sort(), [
    ['shop', 'error', '1.4.0'],
    ['shop', 'info', '1.4.0'],
    ['till', 'error', '1.4.0'],
    ['till', 'fatal', '1.4.0'],
    ['till', 'info', '1.4.0'],
    ['till', 'info', '1.4.0'],
    ['till', 'warn', '1.4.0'],
  ])
  const one = async (q: string) => (await found(server.origin, `${own} ${q}`))[0]
  t.match(await one('listening'), { service: 'till', message: 'listening on 3000', severity: 'info' })
  t.match(await one('served'), { service: 'shop', requestId: 'req-1', status: 200 })
  t.match(await one('digest:11111'), { exception: { type: 'RangeError', message: 'too many' } })
  t.match(await one('digest:2338471'), {
    severity: 'error',
    exception: { type: 'Error', message: 'checkout failed', stack: /app\.js:\d+:\d+.*reading 'total'/s },
  })
  t.match(await one('severity:fatal'), {
    exception: { message: 'the till is empty', stack: /at total .*app\.js/ },
  })
  t.match(await one('"the cart is slow"'), { message: '[warn] the cart is slow ü' })
})

t.test('after source maps are uploaded, shows the original source of a crash in minified code', async t => {
  const source = 'export function total(cart: { items: string[] | null }) {\n  return cart.items!.length\n}\n'
  const here = await project('', { SIXPANE_URL: server.origin }, 'minified')
  await writeFile(join(here.folder, 'cart.ts'), `${source}total({ items: null })`)
  await build({
    absWorkingDir: here.folder,
    entryPoints: ['cart.ts'],
    outdir: 'dist',
    format: 'esm',
    minify: true,
    sourcemap: true,
    sourcesContent: false,
  })
  const dryRun = 'SIXPANE_PASSWORD_FILE=missing sixpane sourcemaps upload --release 2.0 --dry-run dist'
  t.match(await ended(shell(here, dryRun)), { code: 0, errorOutput: '' }, 'a dry run needs no password')
  const uploaded = await ended(shell(here, 'sixpane sourcemaps upload --release 2.0 dist'))
  t.match(uploaded, {
    code: 0,
    errorOutput: '',
    output: /1 of 1 source maps of release 2\.0 for service minified sent to http/,
  })
  t.match(await ended(shell(here, 'node dist/cart.js 2>&1 | sixpane --release 2.0')), {
    code: 0,
    errorOutput: '',
  })

  const [failed] = await found(server.origin, 'service:minified severity:fatal')
  t.match(failed, { release: '2.0', exception: { type: 'TypeError' }, fingerprint: String })
  const page = await fetch(server.origin + paths.development({ failure: String(failed?.fingerprint) }))
  t.match(await page.text(), 'cart.ts:2:')
})

t.test('starts Sixpane if it is not running, and stops it after storing all events', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-stdin-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const port = String(await reservePort(t))
  const here = await project(crashing, {
    PORT: port,
    SIXPANE_DATA: folder,
    // A valid value for the application, but not for Sixpane.
    OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317',
  })
  // More than the sender's queue can hold while Sixpane starts.
  const before = Array.from({ length: 200 }, (_, id) => JSON.stringify({ id, msg: 'x'.repeat(100_000) }))
  await writeFile(join(here.folder, 'before'), `${before.join('\n')}\n`)
  const { errorOutput, code, output } = await ended(shell(here, '(cat before; node app.js 2>&1) | sixpane'))
  t.equal(errorOutput, `Sixpane: the console is at http://127.0.0.1:${port}\n`)
  t.equal(code, 0)
  t.match(output, /^listening on 3000\n/m)
  await t.rejects(fetch(`http://127.0.0.1:${port}`), 'the server has stopped')

  const server = await startServer({}, { folder })
  t.teardown(async () => void (await server.stop()))
  t.equal((await found(server.origin, 'source:stdin')).length, before.length + 7)
})

t.test('commands that run at the same time share a server, which stops when the last one ends', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-stdin-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const port = String(await reservePort(t))
  const here = await project('', { PORT: port, SIXPANE_DATA: folder })
  const start = () => spawn(process.execPath, [command], { cwd: here.folder, env: here.env })
  const stored = async (child: ReturnType<typeof start>, line: string) => {
    child.stdin.write(`${line}\n`)
    await once(child.stdout, 'data')
    await until(async () => (await found(`http://127.0.0.1:${port}`, line).catch(() => [])).length > 0)
  }

  const [first, second] = [start(), start()]
  t.teardown(() => [first, second].map(child => child.kill('SIGKILL')))
  const ends = [ended(first), ended(second)] as const
  await stored(first, 'first')
  await stored(second, 'second')
  first.stdin.end()
  const announced = `Sixpane: the console is at http://127.0.0.1:${port}\n`
  t.match(await ends[0], { code: 0, errorOutput: announced })
  await stored(second, 'third')

  const third = start()
  t.teardown(() => third.kill('SIGKILL'))
  const thirdEnd = ended(third)
  await stored(third, 'fourth')
  second.kill('SIGKILL')
  await stored(third, 'fifth')
  third.stdin.end()
  // This command either joins the server before it stops, or waits until it has stopped and starts another one.
  const fourth = start()
  t.teardown(() => fourth.kill('SIGKILL'))
  const fourthEnd = ended(fourth)
  t.match(await thirdEnd, { code: 0, errorOutput: announced })
  await stored(fourth, 'sixth')
  fourth.stdin.end()
  t.match(await fourthEnd, { code: 0, errorOutput: announced })
  await t.rejects(fetch(`http://127.0.0.1:${port}`), 'the server has stopped')
})

t.test('does not stop a server that was running before', async t => {
  const env = { PORT: new URL(server.origin).port, SIXPANE_DATA: t.testdir() }
  const here = await project('console.log("one")', env, 'neighbour')
  t.match(await ended(shell(here, 'node app.js | sixpane')), { code: 0, errorOutput: '' })
  t.equal((await found(server.origin, 'service:neighbour')).length, 1)
})

t.test('in a terminal, the server keeps running after the program ends, until a signal stops it', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-stdin-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const origin = `http://127.0.0.1:${await reservePort(t)}`
  for (const { program, words, signal } of [
    { program: crashing, words: /newest failure is at (http:\S+)/, signal: 'SIGINT' },
    { program: 'console.log("done")', words: /console is available at (http:\S+)/, signal: 'SIGTERM' },
  ] as const) {
    const here = await project(program, { PORT: new URL(origin).port, SIXPANE_DATA: folder })
    await writeFile(
      join(here.folder, 'run.sh'),
      `"${process.execPath}" app.js 2>&1 | sh -c 'echo $$ > pid; exec "$0" "$1"' "${process.execPath}" "${command}"`,
    )
    // `script` connects the command to a terminal.
    const child = spawn('script', ['-qec', 'sh run.sh', '/dev/null'], {
      cwd: here.folder,
      env: here.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    let output = ''
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', text => {
        output += text
        const [, found] = words.exec(output) ?? []
        if (found !== undefined) resolve(found.replace(/;$/, ''))
      })
      child.once('close', () => reject(new Error(`Ended early: ${output}`)))
    })
    t.ok(url.startsWith(origin))
    const page = await fetch(url)
    t.equal(page.status, 200)
    if (program === crashing) t.match(await page.text(), 'the till is empty')
    process.kill(Number(await readFile(join(here.folder, 'pid'), 'utf8')), signal)
    t.same(await once(child, 'close'), [0, null])
    await t.rejects(fetch(origin), 'the server has stopped')
  }
})

t.test('uses another port if another server is listening on the default port', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-stdin-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const program = `
import { createServer } from 'node:http'
const server = createServer((request, response) => response.end('{"status":"ok"}')).listen(process.env.PORT, '127.0.0.1')
server.once('listening', () => console.log('listening'))
process.once('SIGTERM', () => server.close())
`
  const port = String(await reservePort(t))
  const other = spawn(process.execPath, ['--input-type=module', '-e', program], { env: { PORT: port } })
  t.teardown(() => other.kill('SIGKILL'))
  await once(other.stdout, 'data')
  const here = await project('console.log("one")', { PORT: port, SIXPANE_DATA: folder })
  const { errorOutput, code } = await ended(shell(here, 'node app.js | sixpane'))
  t.match(errorOutput, /^Sixpane: the console is at http:\/\/127\.0\.0\.1:\d+\n$/)
  t.notMatch(errorOutput, `:${port}\n`)
  t.equal(code, 0)
})

t.test('uses another port if the program takes the default port while Sixpane starts', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-stdin-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  // The socket appears after the command has checked the port, and before the server listens.
  const program = `
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
writeFileSync('polling', '')
while (!existsSync(process.env.SIXPANE_DATA + '/commands.sock')) await new Promise(setImmediate)
const server = createServer().listen(process.env.PORT, '127.0.0.1', () => console.log('listening'))
process.once('SIGTERM', () => server.close())
`
  const port = String(await reservePort(t))
  const here = await project(program, { PORT: port, SIXPANE_DATA: folder })
  const child = shell(here, 'node app.js 2>&1 | (while [ ! -e polling ]; do sleep 0.05; done; sixpane)')
  t.teardown(async () => {
    process.kill(-Number(child.pid), 'SIGTERM')
    await once(child, 'close')
  })
  const [message] = await once(child.stderr ?? child, 'data')
  const [, origin = ''] = /^Sixpane: the console is at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(message) ?? []
  t.notMatch(origin, `:${port}`)
  await until(async () => (await found(origin, 'listening')).length === 1)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  t.test(`stores the output that the service prints after ${signal}`, async t => {
    const here = await project(
      `
const open = setInterval(() => {}, 1000)
process.once('${signal}', () => {
  console.log('closing')
  setTimeout(() => { console.log('closed'); clearInterval(open) }, 100)
})
console.log('open')
`,
      { SIXPANE_URL: server.origin },
      `after-${signal}`,
    )
    const child = shell(here, 'node app.js | sixpane')
    await once(child.stdout ?? child, 'data')
    process.kill(-Number(child.pid), signal)
    await once(child, 'close')
    t.same((await found(server.origin, `service:after-${signal}`)).map(({ message }) => message).sort(), [
      'closed',
      'closing',
      'open',
    ])
  })

t.test('a second Ctrl+C ends the input even if the program continues', async t => {
  const here = await project('', { SIXPANE_URL: server.origin }, 'endless')
  const child = spawn(process.execPath, [command], { cwd: here.folder, env: here.env })
  t.teardown(() => child.kill('SIGKILL'))
  const end = ended(child)
  // The command reads both, but the second line is not complete before the end of the input.
  child.stdin.write('one\ntwo')
  await until(async () => (await found(server.origin, 'service:endless')).length === 1)
  child.kill('SIGINT')
  // Signals within half a second count as one.
  await setTimeout(1000)
  t.equal(child.exitCode ?? child.signalCode, null, 'the first one does not end the input')
  child.kill('SIGINT')
  // On a busy machine, the command may see the first two within half a second.
  const repeated = setInterval(() => child.kill('SIGINT'), 10_000)
  t.teardown(() => clearInterval(repeated))
  t.match(await end, { code: 0, output: 'one\ntwo' })
  t.same((await found(server.origin, 'service:endless')).map(({ message }) => message).sort(), ['one', 'two'])
})

t.test('stores all lines even if the program that reads the output exits early', async t => {
  // More than the pipes can hold.
  const program = 'for (let n = 0; n < 20_000; n++) console.log("line " + n)'
  const here = await project(program, { SIXPANE_URL: server.origin }, 'unread')
  // Sixpane rejects the first line because of its time, and the command prints a message about it.
  const { output } = await ended(
    shell(here, `(echo '{"time":"2001-01-01"}'; node app.js) | sixpane 2>&1 | head -n 1`),
  )
  t.equal(output, '{"time":"2001-01-01"}\n')
  t.equal((await found(server.origin, 'service:unread "line 19999"')).length, 1)
})

t.test('reports an error of standard output, and stores all lines', async t => {
  const here = await project('console.log("one\\ntwo")', { SIXPANE_URL: server.origin }, 'full-disk')
  const { errorOutput, code } = await ended(shell(here, 'node app.js | sixpane > /dev/full'))
  t.equal(errorOutput, 'Sixpane: standard output is incomplete: ENOSPC: no space left on device, write\n')
  t.equal(code, 1)
  t.equal((await found(server.origin, 'service:full-disk')).length, 2)
})

t.test('a signal stops a copy, and the command waits until the copy has stopped', async t => {
  const here = await project('')
  for (const [name, isForGroup] of [
    ['SIGTERM', false],
    ['SIGINT', true],
  ] as const) {
    // Never responds, so the download of the source does not end.
    const source = createServer().listen(0, '127.0.0.1')
    t.teardown(() => {
      source.close()
      source.closeAllConnections()
    })
    await once(source, 'listening')
    const address = source.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const child = shell(here, `exec sixpane copy --from ${origin} --to ./store`)
    t.teardown(() => child.kill('SIGKILL'))
    const end = ended(child)
    await once(source, 'request')
    process.kill(Number(child.pid) * (isForGroup ? -1 : 1), name)
    t.match(await end, { code: 1, errorOutput: /stopped\. Run the same command again to continue\n$/ })
  }
})

t.test('passes input through if Sixpane is unreachable, and Ctrl+C ends the wait', async t => {
  const here = await project('console.log("one\\ntwo")', {
    SIXPANE_URL: `http://127.0.0.1:${await reservePort(t)}`,
  })
  const child = shell(here, 'exec sixpane < app.js')
  child.stderr?.on('data', errorOutput => {
    if (String(errorOutput).includes('press Ctrl+C')) child.kill('SIGINT')
  })
  const { output, code } = await ended(child)
  t.equal(output, await readFile(join(here.folder, 'app.js'), 'utf8'))
  t.equal(code, 1)
})

t.test('prints help, the version and usage errors', async t => {
  const here = await project('')
  t.match(await ended(shell(here, 'sixpane --help')), {
    code: 0,
    output: /sourcemaps upload/,
    errorOutput: '',
  })
  t.match(await ended(shell(here, 'sixpane --version')), { code: 0, output: /^\d+\.\d+\.\d+\n$/ })
  const wrong: [string, RegExp][] = [
    ['sixpane --nonsense', /--nonsense.*--help/],
    ['sixpane start', /unknown command: start/],
    ['sixpane --url ftp://x', /--url must be/],
    ['SIXPANE_URL=x sixpane', /SIXPANE_URL must be/],
    ['sixpane sourcemaps upload dist', /--release/],
  ]
  for (const [line, words] of wrong) {
    const { code, errorOutput } = await ended(shell(here, line))
    t.equal(code, 2)
    t.match(errorOutput, words, line)
    t.equal(errorOutput.trimEnd().split('\n').length, 1)
  }
})

t.test('reports a wrong password, and passes input through', async (t: Test) => {
  const server = await startServer({ SIXPANE_PASSWORD: 'correct horse' })
  t.teardown(async () => void (await server.stop()))
  const wrong = await project('console.log("one")', {
    SIXPANE_URL: server.origin,
    SIXPANE_PASSWORD: 'wrong horse',
  })
  t.match(await ended(shell(wrong, 'node app.js | sixpane')), {
    output: 'one\n',
    code: 1,
    errorOutput: /1 event was not stored/,
  })
  const right = await project('console.log("one")', {
    SIXPANE_URL: server.origin,
    SIXPANE_PASSWORD: 'correct horse',
  })
  t.match(await ended(shell(right, 'node app.js | sixpane')), { output: 'one\n', code: 0, errorOutput: '' })
})
