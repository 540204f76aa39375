import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { root } from '../prepare/root.mjs'
import { createHistory } from './history.mjs'

type Line = {
  name: string
  version: string
  demo: boolean
  level: number
  time: number
  traceId?: string
  route?: string
  durationMs?: number
  status?: number
  err?: { type: string; stack: string; digest?: string }
}

/** A fake Sixpane that records lines and credentials. It responds to the first `busy` requests with 429. */
async function startFakeSixpane(t: Test, { busy = 0, status = 200 } = {}) {
  const lines: Line[] = []
  const authorizations = new Set<string | undefined>()
  let rejections = 0
  const server = createServer(async (request, response) => {
    authorizations.add(request.headers.authorization)
    const body = await text(request)
    if (body !== '' && rejections < busy) {
      rejections += 1
      response.writeHead(429, { 'retry-after': '0' }).end()
      return
    }
    for (const line of body.split('\n').filter(Boolean)) lines.push(JSON.parse(line))
    response.writeHead(status).end('{"accepted":0}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The fake Sixpane has no port')
  return { url: `http://127.0.0.1:${address.port}`, lines, authorizations, rejections: () => rejections }
}

const { SIXPANE_TOKEN: _token, SIXPANE_PASSWORD: _password, ...env } = process.env

async function demo(...args: string[]) {
  return demoWith({}, ...args)
}

async function demoWith(credentials: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'demo.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...credentials },
  })
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { output, code }
}

t.test('each failure is logged with the digest that the visitor saw', async t => {
  const fakeSixpane = await startFakeSixpane(t, { busy: 1 })
  const { output, code } = await demo('--once', '--url', fakeSixpane.url)
  t.equal(code, 0, output)
  t.equal(fakeSixpane.rejections(), 1, 'the rejected batch was sent again')

  const shown = [...output.matchAll(/Digest: (\d+)/g)].map(match => match[1])
  // On a busy machine, more visits can fail, because the shop's requests time out.
  t.ok(shown.length >= 3, output)
  for (const digest of shown) {
    const line = fakeSixpane.lines.find(({ err }) => err?.digest === digest)
    t.match(line, { name: 'shop-web', level: 50, err: { stack: /shop-web\.mjs/ } })
  }
  const types = fakeSixpane.lines.flatMap(({ err }) => (err === undefined ? [] : [err.type]))
  for (const type of ['TypeError', 'UpstreamError', 'PaymentError']) t.ok(types.includes(type), type)
  t.match(
    fakeSixpane.lines.find(({ err }) => err?.type === 'PaymentError')?.err?.stack,
    /caused by: BankError/,
  )

  t.ok(
    fakeSixpane.lines.every(({ demo }) => demo),
    'every line has the attribute demo',
  )
  const trace = fakeSixpane.lines.find(({ err }) => err?.type === 'PaymentError')?.traceId
  const services = new Set(
    fakeSixpane.lines.filter(({ traceId }) => traceId === trace).map(({ name }) => name),
  )
  t.same([...services].toSorted(), ['shop-api', 'shop-payments', 'shop-web'])
})

t.test('the demo prints one line of help if Sixpane is not running', async t => {
  const { output, code } = await demo('--once', '--url', 'http://127.0.0.1:1')
  t.equal(code, 1)
  t.match(output, /^Sixpane is not running at .* npm start .*\n$/)
})

t.test('the demo prints one line of help if Sixpane rejects the credentials', async t => {
  for (const status of [401, 403]) {
    const { url } = await startFakeSixpane(t, { status })
    const { output, code } = await demo('--once', '--url', url)
    t.equal(code, 1)
    t.match(output, /^Sixpane at .* set SIXPANE_TOKEN .* or SIXPANE_PASSWORD\n$/)
  }
})

t.test('the demo sends the token, or else the password', async t => {
  const password = { SIXPANE_PASSWORD: 'correct horse' }
  const basic = `Basic ${Buffer.from('demo:correct horse').toString('base64')}`
  for (const [credentials, authorization] of [
    [{}, undefined],
    [password, basic],
    [{ ...password, SIXPANE_TOKEN: '' }, basic],
    [{ ...password, SIXPANE_TOKEN: 'sxp_token' }, 'Bearer sxp_token'],
  ] as const) {
    const { url, authorizations } = await startFakeSixpane(t, { status: 401 })
    await demoWith(credentials, '--once', '--url', url)
    t.same([...authorizations], [authorization])
  }
})

t.test('the demo prints one line of help if another server responds', async t => {
  const { url } = await startFakeSixpane(t, { status: 404 })
  t.match(await demo('--once', '--url', url), {
    code: 1,
    output: /^http\S+ does not accept the lines \(status 404\): .*--url.*\n$/,
  })
})

t.test('the demo rejects invalid options', async t => {
  for (const args of [
    ['--minutes', 'ten'],
    ['--history', '-1'],
    ['--url', 'nowhere'],
    ['--url', 'localhost:3000'],
  ]) {
    t.match(await demo(...args), { code: 1, output: /--minutes N/ }, args.join(' '))
  }
})

t.test('the history repeats real visits at other times, starting with the older release', async t => {
  const history = createHistory()
  const line = {
    name: 'shop-web',
    version: '2.8.1',
    demo: true,
    level: 30,
    time: 1000,
    traceId: 'a',
    durationMs: 10,
  }
  history.write(JSON.stringify(line))
  history.write(JSON.stringify({ ...line, traceId: 'b', err: { type: 'TypeError', stack: '' } }))
  history.write(JSON.stringify({ level: 30, name: 'shop-web', msg: 'Listening' }))
  const untilMs = Date.UTC(2026, 0, 1)
  const lines: Line[] = [...history.lines({ untilMs, minutes: 10, rate: 1 })].map(text => JSON.parse(text))
  t.ok(lines.length > 300 && lines.length < 600)
  t.ok(lines.every(({ time, demo }) => demo && time >= untilMs - 600_000 && time <= untilMs))
  t.equal(new Set(lines.map(({ traceId }) => traceId)).size, lines.length)
  const before = lines.filter(({ version }) => version === '2.8.0')
  t.ok(before.length > 100)
  t.ok(before.every(({ err }) => err === undefined))
})
