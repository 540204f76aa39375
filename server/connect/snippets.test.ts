import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { fastify } from 'fastify'
import t, { type Test } from 'tap'
import { roles } from '../../shared/user.ts'
import { createClean } from '../events/clean.ts'
import { createNormalise } from '../events/normalise.ts'
import { readLines } from '../ingest/ndjson/read-lines.ts'
import { withoutPauses } from '../testing/pauses.ts'
import { connectSnippets } from './snippets.ts'

const run = promisify(execFile)
const env = { ...process.env, SIXPANE_TOKEN: 'sxp_token' }

function snippet(id: string, origin: string, requiresSignIn: boolean): string {
  const found = connectSnippets(origin, requiresSignIn, 'admin').find(each => each.id === id)
  if (found === undefined) throw new Error(`There is no snippet ${id}`)
  return found.code
}

/** Starts a server that records the requests that the snippets send. */
async function receiver(t: Test) {
  const received: { url: string | undefined; authorization: string | undefined; records: object[] }[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const lines = withoutPauses(readLines(Buffer.from(await text(request))))
    const records = lines.map(line => ('record' in line ? line.record : { refused: line.reason }))
    received.push({ url: request.url, authorization: request.headers.authorization, records })
    response.end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port')
  return { origin: `http://127.0.0.1:${address.port}`, received }
}

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

t.test('the curl snippet runs in a shell', { skip: !hasCurl && 'curl is not installed' }, async t => {
  const { origin, received } = await receiver(t)
  await run('sh', ['-c', snippet('curl', origin, false)], { env })
  await run('sh', ['-c', snippet('curl', origin, true)], { env })
  t.match(received, [
    { url: '/ingest', authorization: undefined, records: [{ name: 'hello', level: 'error' }] },
    { url: '/ingest', authorization: 'Bearer sxp_token', records: [{ err: { message: 'sent with curl' } }] },
  ])
})

t.test('the curl snippet sends a log file', { skip: !hasCurl && 'curl is not installed' }, async t => {
  const { origin, received } = await receiver(t)
  const cwd = t.testdir({ 'app.log': '{"msg":"one"}\n{"msg":"two"}\n' })
  await run('sh', ['-c', snippet('file', origin, false)], { env, cwd })
  t.match(received, [{ records: [{ msg: 'one' }, { msg: 'two' }] }])
})

t.test('snippets contain a token variable only if a token is required', async t => {
  for (const id of [
    'stdin',
    'pino',
    'express',
    'next-config',
    'next',
    'opentelemetry',
    'loki',
    'sourcemaps',
  ]) {
    const [withPassword, open] = [true, false].map(requiresSignIn =>
      JSON.stringify(
        connectSnippets('http://console.example', requiresSignIn, 'admin').find(each => each.id === id),
      ),
    )
    t.match(withPassword, 'SIXPANE_TOKEN', id)
    t.notMatch(open, 'SIXPANE_TOKEN', id)
  }
})

t.test('only administrators are told to create a token', async t => {
  for (const role of roles) {
    const notes = connectSnippets('http://console.example', true, role)
      .map(({ note }) => note)
      .join('\n')
    t.equal(notes.includes('Ask an administrator for a token'), role !== 'admin', role)
    t.equal(notes.includes('Ask an administrator for the key of a token'), role !== 'admin', role)
    t.equal(notes.includes('the settings'), role === 'admin', role)
  }
})

t.test(
  'the Sentry snippet sets only the DSN with the first key, and contains no name of a token',
  async t => {
    const names = ["Anna's $(echo run >&2)\nexport SENTRY_DSN=wrong", 'api`echo run >&2`']
    const keys = names.map((tokenName, index) => ({ tokenName, key: `key${index}` }))
    const sentry = connectSnippets('http://console.example', true, 'member', keys).find(
      ({ id }) => id === 'sentry',
    )
    t.equal(sentry?.code, "export SENTRY_DSN='http://key0@console.example/my-service/1'")
    t.match(
      sentry?.note,
      `The key is from the token “${names[0]}”. Keys of other tokens: “${names[1]}” key1.`,
    )
  },
)

t.test('the Loki note says where each client needs the full URL, the origin, or its parts', async t => {
  const noteFor = (origin: string) =>
    connectSnippets(origin, false, 'admin').find(({ id }) => id === 'loki')?.note
  const note = noteFor('http://127.0.0.1:3000')
  t.match(note, 'http://127.0.0.1:3000/loki/api/v1/push (Promtail, Alloy, Docker driver)')
  t.match(note, 'http://127.0.0.1:3000 (Vector)')
  t.match(note, 'host 127.0.0.1, port 3000 (Fluent Bit)')
  t.match(noteFor('http://console.example'), 'host console.example, port 80 (')
  t.match(noteFor('https://console.example'), 'host console.example, port 443, tls on (')
  t.match(noteFor('https://[::1]:8443'), 'host ::1, port 8443, tls on (')
})

t.test('the Next.js snippets use the same service and URL, so that the maps match the events', async t => {
  const argumentsIn = (id: string) => /\{ url: .*? \}/.exec(snippet(id, 'http://console.example', false))?.[0]
  t.match(argumentsIn('next'), /service: '\S+'/)
  t.equal(argumentsIn('next-config'), argumentsIn('next'))
})

t.test('the JSON snippet is valid', async t => {
  const lines = [...readLines(Buffer.from(snippet('json', 'http://console.example', false)))]
  t.match(lines, [
    { record: { route: '/cart/:id', status: 200, durationMs: 12.5 } },
    { record: { digest: '2338471', exception: { stack: 'PaymentError: card declined\n    at pay' } } },
  ])
})

t.test('no snippet contains a date, because old events are rejected', async t => {
  t.notMatch(JSON.stringify(connectSnippets('http://console.example', true, 'admin')), /\b20\d\d-\d\d-\d\d/)
})

t.test('with the Fastify snippet, each request is counted once, with its route', async t => {
  const lines: string[] = []
  const app = fastify({ logger: { stream: { write: line => void lines.push(line) } } })
  t.teardown(() => app.close())
  const code = snippet('routes', 'http://console.example', false).replace(/^import .*$/m, '')
  new Function('fastify', 'sixpane', code)(app, async () => {})
  app.get('/cart/:id', async () => 'cart')
  await app.inject('/cart/7')
  const normalise = createNormalise(createClean([]), { fingerprint: () => '' })
  const requests = lines
    .map(line => normalise(JSON.parse(line), 'ndjson', Date.now()))
    .filter(({ status, durationMs }) => status !== null && durationMs !== null)
  t.match(requests, [{ method: 'GET', route: '/cart/:id', status: 200 }])
  t.equal(requests.length, 1)
})

t.test('a malicious host name cannot escape the shell quotes', { skip: !hasCurl }, async t => {
  const code = snippet('curl', "http://a';echo $(id);'", false).replace('curl ', 'printf %s ')
  const { stdout } = await run('sh', ['-c', code])
  t.match(stdout, "http://a';echo $(id);'/ingest")
})
