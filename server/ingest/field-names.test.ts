import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createJoiner, type Joined } from '../../client/cli/join-lines.ts'
import { recordToSend, textToSend } from '../../client/cli/to-send.ts'
import type { NewEvent } from '../../shared/event.ts'
import { paths } from '../../shared/paths.ts'
import { createClean } from '../events/clean.ts'
import { createNormalise } from '../events/normalise.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { stubPlugins } from '../testing/stub-plugins.ts'
import loki from './loki/loki.ts'
import ndjson from './ndjson/ndjson.ts'
import { otlpLogs } from './otlp/otlp.ts'
import { attributesOf, logsOf } from './otlp/testing.ts'

const hourAgoMs = Date.now() - 3_600_000
const hourAgo = new Date(hourAgoMs).toISOString()

async function start(t: Test) {
  const stored: NewEvent[] = []
  const fake = fakeContext()
  const context = fakeContext({
    normalise: createNormalise(createClean([]), fake.failures),
    events: { ...fake.events, accept: async events => void stored.push(...events) },
  })
  const app = Fastify()
  stubPlugins(app)
  await app.register(ndjson, { context })
  await app.register(loki, { context })
  await app.register(otlpLogs, { context })
  t.teardown(() => app.close())
  const post = async (url: string, headers: Record<string, string>, payload: string) => {
    const { statusCode } = await app.inject({ method: 'POST', url, headers, payload })
    t.match(statusCode, /^20/)
    return stored.splice(0)[0]
  }
  const json = { 'content-type': 'application/json' }
  return {
    ingest: (line: string) => post(paths.ingest(), {}, line),
    pipe: (text: string, times: { timeMs: number; writtenMs?: number } = { timeMs: Date.now() }) =>
      post(
        `${paths.ingest()}?source=stdin`,
        {},
        recordToSend({ text, position: 0, ...times }, { service: 'pipe', release: '9.9.9' }) ?? '',
      ),
    loki: (line: string) =>
      post(
        paths.lokiPush(),
        json,
        JSON.stringify({
          streams: [
            {
              stream: { container: 'labelled', level: 'debug' },
              values: [[`${Date.now()}000000`, line]],
            },
          ],
        }),
      ),
    otlp: (body: object) => post(paths.otlpLogs(), json, JSON.stringify(logsOf({ body }))),
  }
}

t.test('a line becomes the same event through /ingest, OTLP, a Loki push and a pipe', async t => {
  const { ingest, pipe, loki, otlp } = await start(t)
  const common = { msg: 'hello', service: 'shop', date: hourAgo, level: 'error' }
  for (const fields of [
    { date: hourAgo, severity_number: 17 },
    ...['time', 'timestamp', '@timestamp', 'ts', 'date'].map(name => ({ [name]: hourAgo })),
    { timeUnixNano: `${hourAgoMs}000000` },
    { observedTimeUnixNano: `${hourAgoMs}000000` },
    { attributes: { time: hourAgo, level: 'error', service: 'shop', release: '1.0.0' } },
    ...['level', 'severityText', 'severity_text', 'log.level', 'lvl', 'severity'].map(name => ({
      [name]: 'error',
    })),
    { severityNumber: 17 },
    { severity_number: 17 },
    { log: { level: 'error' } },
    { level: 'nonsense', severity: 'error' },
    ...['service', 'serviceName', 'service.name', 'name', 'app', 'application'].map(name => ({
      [name]: 'shop',
    })),
    { resource: { service: { name: 'shop', version: '1.0.0' } } },
    { resource: { attributes: { 'service.name': 'shop', 'service.version': '1.0.0' } } },
  ]) {
    const isAbout = (...names: string[]) =>
      Object.keys(fields).some(key => names.some(name => key.toLowerCase().includes(name)))
    const record = {
      msg: common.msg,
      ...(isAbout('time', 'ts', 'date', 'attributes') ? {} : { date: common.date }),
      ...(isAbout('level', 'severity', 'lvl', 'log', 'attributes') ? {} : { level: common.level }),
      ...(isAbout('service', 'name', 'app', 'resource', 'attributes') ? {} : { service: common.service }),
      ...(isAbout('resource', 'attributes') ? {} : { release: '1.0.0' }),
      ...fields,
    }
    const line = JSON.stringify(record)
    const wrapped = JSON.stringify({ log: `${line}\n`, stream: 'stdout' })
    const expected = {
      timeMs: hourAgoMs,
      severity: 'error',
      service: 'shop',
      release: '1.0.0',
      body: 'hello',
    }
    const inMessage = JSON.stringify({ message: line, source_type: 'docker_logs' })
    t.match(await ingest(line), expected, `/ingest: ${line}`)
    t.match(await ingest(inMessage), expected, `/ingest: ${inMessage}`)
    t.match(await loki(inMessage), expected, `Loki push: ${inMessage}`)
    t.match(await loki(line), expected, `Loki push: ${line}`)
    t.match(await loki(wrapped), expected, `Loki push: ${wrapped}`)
    t.match(await otlp({ stringValue: line }), expected, `OTLP: ${line}`)
    const values = attributesOf({ log: { stringValue: `${line}\n` } })
    t.match(await otlp({ kvlistValue: { values } }), expected, `OTLP, wrapped: ${line}`)
    t.match(await pipe(line), expected, `pipe: ${line}`)
    t.match(await pipe(wrapped), expected, `pipe: ${wrapped}`)
    t.match(await pipe(inMessage), expected, `pipe: ${inMessage}`)
  }
  const collected = { message: '{"level":"error","msg":"hello"}', source_type: 'stdin' }
  const fromCollector = await pipe(JSON.stringify(collected))
  t.match(fromCollector, { severity: 'error', service: 'pipe', release: '9.9.9', body: 'hello' })
  t.same(fromCollector?.attributes, { source_type: 'stdin' })
  for (const message of ['{"name":"Ada"}', '{"name":"Ada","level":"warn"}'])
    t.match(await pipe(JSON.stringify({ level: 'info', message })), { service: 'pipe', body: message })
  for (const fields of [{ service: null }, { name: '' }, { app: { id: 5 } }, { context: { service: [] } }])
    t.match(await pipe(JSON.stringify({ version: '', ...fields })), { service: 'pipe', release: '9.9.9' })
})

t.test('a time added to a piped line does not replace time fields whose values are not times', async t => {
  const { pipe } = await start(t)
  const timeMs = Date.now() - 60_000
  for (const fields of [{ time: 35 }, { time: '07:10:11' }, { time: 35, timestamp: 'soon', ts: null }]) {
    const line = JSON.stringify({ msg: 'query', ...fields })
    for (const text of [line, JSON.stringify({ log: `${line}\n`, stream: 'stdout' })]) {
      const arrived = await pipe(text, { timeMs })
      t.match(arrived, { timeMs, body: 'query' }, text)
      const written = await pipe(text, { timeMs, writtenMs: hourAgoMs })
      t.match(written, { timeMs: hourAgoMs, body: 'query' }, text)
      for (const event of [arrived, written]) {
        const { stream: _, ...attributes } = event?.attributes ?? {}
        t.same(attributes, fields, text)
      }
    }
  }
})

t.test('a Go stack that is printed line by line becomes the same failure as one record', async t => {
  const { ingest, otlp } = await start(t)
  const stack = [
    `${hourAgo}\tERROR\tapp/main.go:10\tfailed to pay\t{"error": "declined"}`,
    'main.(*Cart).Pay',
    '\t/app/main.go:10',
    'main.handler',
    '\t/app/main.go:25',
  ]
  const joined: Joined[] = []
  const joiner = createJoiner(each => joined.push(each))
  for (const text of stack) joiner.push({ text, position: 0, timeMs: Date.now() })
  joiner.flush()
  t.equal(joined.length, 1)
  const events = joined.map(each => textToSend(each, { service: 'shop', release: null }) ?? '')
  const piped = await ingest(events.join('\n'))
  const single = await otlp({ stringValue: stack.join('\n') })
  t.match(piped, { severity: 'error', body: /failed to pay/ })
  t.ok(piped?.fingerprint)
  t.equal(piped?.fingerprint, single?.fingerprint)
})

t.test('a piped line that is too long keeps its fields and its failure', async t => {
  const { pipe } = await start(t)
  const err = { type: 'TypeError', message: 'no cart', stack: 'TypeError: no cart\n    at f (/app/x.js:1:1)' }
  const fields = { level: 50, msg: 'failed', service: 'shop', err, orderId: 7 }
  const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `item ${id}` }))
  const expected = await pipe(JSON.stringify(fields))
  for (const more of [{ page: 'x'.repeat(2_000_000) }, { rows }]) {
    const event = await pipe(JSON.stringify({ ...more, ...fields }))
    t.match(event, { severity: 'error', body: 'failed', exception: err, attributes: { orderId: 7 } })
    t.equal(event?.fingerprint, expected?.fingerprint)
  }
})
