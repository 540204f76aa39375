import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { type LoggerOptions, multistream, pino } from 'pino'
import t, { type Test } from 'tap'
import sixpane, { type Options } from './pino.ts'
import { createPinoLines, type LineOptions } from './pino-lines.ts'

type Line = Record<string, unknown>

/** A fake Sixpane that records the lines that it receives. */
async function serve(t: Test) {
  const lines: Line[] = []
  const seen: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    seen.push(request.headers)
    const body = await buffer(request)
    const text = String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    for (const line of text.trim().split('\n')) lines.push(JSON.parse(line))
    response.end('{"accepted":1,"rejected":0,"errors":[]}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return { lines, seen, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

/** Logs one line with the transport in this process. Returns the line and headers that the server received. */
async function log(t: Test, options: Omit<Options, 'url'>, pinoOptions: LoggerOptions) {
  const { url, lines, seen } = await serve(t)
  const stream = sixpane({ url, ...options })
  const logger = pino(pinoOptions, multistream([{ stream }]))
  logger.info({ user: 7 }, 'hello')
  stream.end()
  await once(stream, 'close')
  return { line: lines[0] ?? {}, headers: seen[0] ?? {} }
}

t.test('adds missing fields to pino lines and sends them', async t => {
  t.match((await log(t, { token: 'sxp_abc' }, { name: 'shop' })).headers, { authorization: 'Bearer sxp_abc' })
  const cases: [Omit<Options, 'url'>, LoggerOptions, Line][] = [
    [{}, { name: 'shop' }, { name: 'shop', level: 30, msg: 'hello', user: 7, time: Number }],
    [{ service: 'shop', release: '1.2.0' }, {}, { service: 'shop', release: '1.2.0', msg: 'hello' }],
    [{ service: 'shop' }, { base: { service: 'own' } }, { service: 'own' }],
    [{ messageKey: 'text' }, { messageKey: 'text' }, { msg: 'hello' }],
    [{}, { timestamp: false }, { observedTimeUnixNano: /^\d{13}000000$/ }],
    [{}, { timestamp: pino.stdTimeFunctions.isoTime }, { time: /^\d{4}-/ }],
  ]
  for (const [options, pinoOptions, expected] of cases) {
    const { line } = await log(t, options, pinoOptions)
    t.match(line, expected)
    if ('time' in line) t.notOk('observedTimeUnixNano' in line)
    if (options.messageKey !== undefined) t.notOk('text' in line)
  }
})

t.test('flush sends the lines', async t => {
  const { url, lines } = await serve(t)
  const stream = sixpane({ url })
  const logger = pino({}, stream)
  logger.info('hello')
  await new Promise(resolve => logger.flush(resolve))
  t.match(lines, [{ msg: 'hello' }])
  stream.destroy()
  await once(stream, 'close')
})

t.test('reads the URL and the password from the environment', async t => {
  const { url, lines, seen } = await serve(t)
  Object.assign(process.env, { SIXPANE_URL: url, SIXPANE_TOKEN: '', SIXPANE_PASSWORD: 'correct horse' })
  const stream = sixpane()
  for (const name of ['SIXPANE_URL', 'SIXPANE_TOKEN', 'SIXPANE_PASSWORD']) delete process.env[name]
  pino({}, stream).info('hello')
  stream.end()
  await once(stream, 'close')
  t.match(lines, [{ msg: 'hello' }])
  t.match(seen, [{ authorization: /^Basic / }])
})

t.test('splits lines regardless of how the text is chunked', async t => {
  fc.assert(
    fc.property(fc.array(record), fc.array(fc.nat({ max: 40 })), (records, sizes) => {
      const text = records.map(each => `${JSON.stringify({ time: 1, ...each })}\n`).join('')
      t.same(read({ service: 'shop' }, pieces(text, sizes)), read({ service: 'shop' }, [text]))
      t.same(
        read({ service: 'shop' }, [text]),
        records.map(each => JSON.parse(JSON.stringify({ service: 'shop', time: 1, ...each }))),
      )
    }),
  )
})

t.test('renames a custom message key but no other key', async t => {
  fc.assert(
    fc.property(fc.string(), record, (message, others) => {
      const line = JSON.stringify({ time: 1, ...others, text: message })
      const [read1] = read({ messageKey: 'text' }, [`${line}\n`])
      t.same(read1, JSON.parse(JSON.stringify({ time: 1, ...others, msg: message })))
    }),
  )
})

t.test('an endless line uses bounded memory', async t => {
  const received: string[] = []
  const lines = createPinoLines({}, line => received.push(line))
  for (let i = 0; i < 100; i++) lines.read('x'.repeat(1e6))
  lines.read('\n{"time":1}\n')
  t.ok((received[0]?.length ?? 0) < 3e6)
  t.equal(received[1], '{"time":1}')
})

/** Excludes numeric keys, which would be serialised before the time. */
const record = fc.dictionary(
  fc.string().map(key => `_${key}`),
  fc.jsonValue(),
)

function read(options: LineOptions, chunks: readonly string[]): unknown[] {
  const received: unknown[] = []
  const lines = createPinoLines(options, line => received.push(JSON.parse(line)))
  for (const chunk of chunks) lines.read(chunk)
  lines.end()
  return received
}

function pieces(text: string, sizes: readonly number[]): string[] {
  const cut: string[] = []
  let from = 0
  for (const size of sizes) {
    cut.push(text.slice(from, from + size))
    from += size
  }
  return [...cut, text.slice(from)]
}
