import { PassThrough, Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { textTimeField } from '../../shared/text-time.ts'
import { pipe } from './pipe.ts'

const defaults = { service: 'shop', release: '1.4.0' }

/** Pipes the pieces. Returns the output bytes, the sent events and the reported errors of the output. */
async function run(pieces: readonly (string | Buffer)[], output: Writable = new PassThrough()) {
  const passed: Buffer[] = []
  output.on('data', chunk => passed.push(chunk))
  const sent: string[] = []
  const outputErrors: Error[] = []
  let cutRecords = 0
  async function* input() {
    for (const piece of pieces) yield Buffer.from(piece)
  }
  await pipe({
    input: input(),
    output,
    defaults,
    send: line => sent.push(line),
    onOutputError: error => outputErrors.push(error),
    onCutRecord: () => {
      cutRecords += 1
    },
  })
  await turn()
  return { passed: Buffer.concat(passed), sent: sent.map(line => JSON.parse(line)), outputErrors, cutRecords }
}

t.test('adds missing services, releases and times to JSON lines', async t => {
  const { sent } = await run([
    '{"time":1700000001,"level":30,"msg":"served"}\n{"timestamp":1700000002,"name":"cart","version":"2"}\r\n',
    '{"ts":1700000003,"service":{"name":"x"}}\n{"date":1700000004,"attributes":{"service.name":"y"}}\n',
  ])
  t.same(sent, [
    { service: 'shop', release: '1.4.0', time: 1700000001, level: 30, msg: 'served' },
    { timestamp: 1700000002, name: 'cart', version: '2' },
    { ts: 1700000003, service: { name: 'x' }, release: '1.4.0' },
    { date: 1700000004, attributes: { 'service.name': 'y' }, release: '1.4.0' },
  ])
  const nested = '{"metadata":{"timestamp":1700000005,"service":"z","version":"3"}}'
  t.same((await run([`${nested}\n`])).sent, [JSON.parse(nested)], 'as written by winston')
  t.match((await run(['{"span":{"name":"request"}}\n'])).sent, [{ service: 'shop' }])
  const bytes = JSON.stringify({
    MESSAGE: [...Buffer.from('{"time":1700000006,"service":"w","version":"4"}')],
  })
  t.same((await run([`${bytes}\n`])).sent, [JSON.parse(bytes)], 'as written by journald')
  t.match((await run(['{}\n', ' {"msg":"a"}'])).sent, [
    { service: 'shop', release: '1.4.0', time: Number },
    { service: 'shop', time: Number, msg: 'a' },
  ])
})

t.test('adds a service, release and time to JSON lines that contain only invalid ones', async t => {
  const at = (line: string) => `2026-11-22T07:10:11.123456789Z stdout F ${line}\n`
  const { sent } = await run([
    at('{"service":null,"version":""}'),
    at('{"app":{"id":5},"context":{"service":{"id":1}},"release":{},"date":"2999-12-24"}'),
    at('{"service":7,"version":8,"startTime":"2026-11-22T07:10:10Z"}'),
  ])
  const [service, release] = ['shop', '1.4.0']
  const time = { time: Number, [textTimeField]: Date.parse('2026-11-22T07:10:11.123Z') }
  t.match(sent, [
    { ...time, service: null, 'service.name': service, version: '', release },
    { ...time, app: { id: 5 }, service, release: {}, 'service.version': release, date: '2999-12-24' },
    { service: 7, version: 8, release: undefined, time: undefined, [textTimeField]: undefined },
  ])
})

t.test('passes the length of the events to `pace`, as they can be longer than the lines', async t => {
  const lengths: number[] = []
  const sent: string[] = []
  async function* input() {
    yield Buffer.from('a\n'.repeat(100))
    yield Buffer.from('b\n')
  }
  await pipe({
    input: input(),
    output: new PassThrough().resume(),
    defaults,
    send: line => sent.push(line),
    pace: async length => void lengths.push(length),
  })
  t.equal(lengths.length, 2)
  t.ok(Number(lengths[0]) > 1000, `${lengths[0]} characters for 200 characters of input`)
})

t.test('a wait between two chunks does not split a stack trace', async t => {
  const { setTimeout: start } = globalThis
  t.intercept(globalThis, 'setTimeout', { value: (call: () => void) => start(call, 1) })
  const sent: string[] = []
  async function* input() {
    yield Buffer.from('Error: boom\n')
    yield Buffer.from('    at f (/app/x.js:1:1)\n')
  }
  await pipe({
    input: input(),
    output: new PassThrough().resume(),
    defaults,
    send: line => sent.push(line),
    // Of two timers with the same delay, the one that started first fires first.
    pace: () => new Promise(resolve => start(resolve, 1)),
  })
  t.equal(sent.length, 1)
})

t.test('sends the stack trace of a quiet container while another container prints', async t => {
  let nowMs = 0
  t.intercept(performance, 'now', { value: () => nowMs })
  const sent: string[] = []
  const print = (line: string) => Buffer.from(`${line}\n`)
  async function* input() {
    yield print('worker-1  | Error: boom')
    yield print('web-1     | served')
    yield print('worker-1  |     at f (/app/x.js:1:1)')
    for (let count = 1; count <= 3; count++) {
      nowMs += 100
      yield print('web-1     | served')
    }
    t.match(
      sent.map(line => JSON.parse(line).msg).filter(msg => msg !== 'served'),
      [/boom\n {4}at f/],
    )
  }
  await pipe({
    input: input(),
    output: new PassThrough().resume(),
    defaults,
    send: line => sent.push(line),
    pace: async () => {
      nowMs += 1000
    },
  })
})

t.test('sends plain lines as events with their level', async t => {
  const before = Date.now()
  const { sent } = await run([
    '\u001b[32mready\u001b[39m on 3000\n\n   \n\u001b[33m[warn]\u001b[39m slow\nlast',
  ])
  t.match(sent, [
    { msg: 'ready on 3000', service: 'shop', release: '1.4.0', level: undefined },
    { msg: '[warn] slow', level: 'warn' },
    { msg: 'last' },
  ])
  t.equal(sent.length, 3)
  for (const { time } of sent) t.ok(time >= before && time <= Date.now())
})

t.test('sends the time at the start of a plain line in addition to its arrival time', async t => {
  const before = Date.now()
  const { sent } = await run([
    '\u001b[2m2026-01-02T03:04:05.678Z\u001b[0m served\nready\n',
    '[2026-01-02T03:04:06Z] Error: boom\n    at f (/app/x.js:1:1)\n    at 2026-01-02T03:04:07Z (/app/x.js:1:1)\n',
    '{"msg":"2026-01-02T03:04:08Z a JSON line"}\n',
  ])
  t.match(sent, [
    { [textTimeField]: Date.parse('2026-01-02T03:04:05.678Z'), msg: '2026-01-02T03:04:05.678Z served' },
    { [textTimeField]: undefined, msg: 'ready' },
    { [textTimeField]: Date.parse('2026-01-02T03:04:06Z'), msg: /03:04:07Z/ },
    { [textTimeField]: undefined },
  ])
  for (const { time } of sent) t.ok(time >= before && time <= Date.now())
})

t.test('a line with a time is not joined to the error above it', async t => {
  const { sent } = await run(['Error: boom\nNov 22 07:10:11 host app: served\n    at f (/app/x.js:1:1)\n'])
  t.match(sent, [{ msg: 'Error: boom' }, { msg: /^Nov 22/ }])
})

t.test('removes the Kubernetes prefix, and joins the lines that the container runtime split', async t => {
  const at = (second: number, rest: string) => `2026-11-22T07:10:${second}.123456789Z ${rest}\n`
  const writtenMs = (second: number) => Date.parse(`2026-11-22T07:10:${second}.123Z`)
  const { sent } = await run([
    at(11, 'stdout F {"msg":"served"}'),
    at(12, 'stdout P {"msg":"long '),
    at(13, 'stderr F WARN slow'),
    at(14, 'stdout F line","level":50,"time":1700000001}'),
    at(15, 'stderr F Error: no cart'),
    at(16, 'stderr F     at total (/app/cart.js:1:2)'),
    at(17, 'stdout F'),
    at(18, 'stderr F 2026/11/22 07:10:18 [error] failed'),
    at(19, 'stdout F 2026-11-22T07:10:18Z served'),
  ])
  t.match(sent, [
    { msg: 'served', [textTimeField]: writtenMs(11) },
    { msg: 'long line', level: 50, time: 1700000001 },
    { msg: 'WARN slow', level: 'warn', [textTimeField]: writtenMs(13) },
    { msg: 'Error: no cart\n    at total (/app/cart.js:1:2)', [textTimeField]: writtenMs(15) },
    { level: 'error', [textTimeField]: writtenMs(18) },
    { [textTimeField]: Date.parse('2026-11-22T07:10:18Z') },
  ])
  t.equal(sent.length, 6)
})

/** A line of Docker's `json-file` driver. */
const part = (log: string, more = {}) =>
  `${JSON.stringify({ log, stream: 'stdout', ...more, time: '2026-11-22T07:10:11.123456789Z' })}\n`

t.test('joins the lines of a stack trace in a Docker log file', async t => {
  const { sent } = await run([
    part('Error: no cart\n'),
    part('    at total (/app/cart.js:1:2) {\r\n'),
    part("  digest: '2338471'\n"),
    part('}\n'),
    part('labelled\n', { attrs: { team: 'shop' } }),
    part('{"msg":"labelled ', { attrs: { team: 'shop' } }),
    part('and split"}\n', { attrs: { team: 'shop' } }),
  ])
  const msg = "Error: no cart\n    at total (/app/cart.js:1:2) {\n  digest: '2338471'\n}"
  t.match(sent, [
    { msg, level: 'error', [textTimeField]: Date.parse('2026-11-22T07:10:11.123Z') },
    { log: 'labelled\n', attrs: { team: 'shop' } },
    { msg: 'labelled and split' },
  ])
})

/** The streams of a container whose standard output interrupts a stack trace, and the expected events. */
const interrupted = {
  java: {
    lines: [
      ['stderr', 'java.lang.IllegalStateException: k8s boom'],
      ['stdout', 'GET / 200'],
      ['stderr', '\tat com.example.Main.main(Main.java:5)'],
    ],
    events: [
      { msg: 'java.lang.IllegalStateException: k8s boom\n\tat com.example.Main.main(Main.java:5)' },
      { msg: 'GET / 200' },
    ],
  },
  python: {
    lines: [
      ['stdout', 'started'],
      ['stderr', 'Traceback (most recent call last):'],
      ['stdout', 'GET / 200'],
      ['stderr', '  File "/app/cart.py", line 5, in pay'],
      ['stdout', 'GET /cart 200'],
      ['stderr', 'ValueError: no cart'],
      ['stdout', 'stopped'],
    ],
    events: [
      { msg: 'started' },
      { msg: /^Traceback .*\n {2}File .*\nValueError: no cart$/, level: 'error' },
      { msg: 'GET / 200' },
      { msg: 'GET /cart 200' },
      { msg: 'stopped' },
    ],
  },
  node: {
    lines: [
      ['stderr', 'Error: no cart'],
      ['stdout', '{"level":30,"msg":"served"}'],
      ['stderr', '    at total (/app/cart.js:1:2)'],
    ],
    events: [{ msg: 'Error: no cart\n    at total (/app/cart.js:1:2)' }, { msg: 'served', level: 30 }],
  },
}
const kubernetes = (stream: string, text: string) => `2026-11-22T07:10:11.1Z ${stream} F ${text}\n`
const docker = (stream: string, text: string) => part(`${text}\n`, { stream })
const dockerWithLabels = (stream: string, text: string) =>
  part(`${text}\n`, { stream, ...(text.startsWith('{') && { attrs: { team: 'shop' } }) })

for (const [name, { lines, events }] of Object.entries(interrupted))
  t.test(`standard output does not interrupt a stack trace from ${name} on standard error`, async t => {
    for (const print of [kubernetes, docker, dockerWithLabels]) {
      const { sent } = await run(lines.map(([stream = '', text = '']) => print(stream, text)))
      const expected = print === dockerWithLabels && name === 'node' ? [events[0], { log: /served/ }] : events
      t.match(sent, expected)
      t.equal(sent.length, events.length)
    }
  })

t.test('joins the split lines of each stream', async t => {
  const at = (rest: string) => `2026-11-22T07:10:11.1Z ${rest}\n`
  const { sent } = await run([
    at('stderr P Error: no '),
    at('stdout P {"msg":'),
    at('stderr F cart'),
    at('stdout F "served"}'),
    at('stderr F     at total (/app/cart.js:1:2)'),
  ])
  t.match(sent, [{ msg: 'Error: no cart\n    at total (/app/cart.js:1:2)' }, { msg: 'served' }])
})

t.test('a stream has the same events regardless of the other stream', async () => {
  const text = fc.constantFrom(
    'Error: no cart',
    '    at total (/app/cart.js:1:2)',
    'Traceback (most recent call last):',
    '  File "/app/cart.py", line 5, in pay',
    'ValueError: no cart',
    '{"msg":"served"}',
    'ready',
  )
  const line = fc.tuple(fc.constantFrom('stdout', 'stderr'), fc.constantFrom('F', 'P'), text)
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), async lines => {
      const eventsOf = async (streams: readonly string[]) => {
        const { sent } = await run(
          lines
            .filter(([stream]) => streams.includes(stream))
            .map(([stream, tag, text]) => `2026-11-22T07:10:11.1Z ${stream} ${tag} ${text}\n`),
        )
        return sent.map(({ msg }) => msg).sort()
      }
      const alone = [...(await eventsOf(['stdout'])), ...(await eventsOf(['stderr']))].sort()
      return JSON.stringify(await eventsOf(['stdout', 'stderr'])) === JSON.stringify(alone)
    }),
  )
})

t.test('a line that was written later does not continue a stack trace', async t => {
  const { sent } = await run([
    '2026-11-22T07:10:11.1Z stderr F [error] retrying\n',
    '2026-11-22T09:10:11.1Z stderr F Error: no cart\n',
    '2026-11-22T09:10:11.1Z stderr F     at total (/app/cart.js:1:2)\n',
  ])
  t.match(sent, [{ msg: '[error] retrying' }, { msg: /^Error: no cart\n/ }])
})

t.test('leaves lines with other streams unchanged, so that their number is limited', async t => {
  const line = part('part', { stream: 'other' })
  t.match((await run([line])).sent, [JSON.parse(line)])
})

t.test('joins the lines that Docker split, even if the last part is missing', async t => {
  const { sent } = await run([part('{"msg":"long '), part('line","level":50}\n'), part('one\n'), part('cut')])
  t.match(sent, [
    { msg: 'long line', level: 50, [textTimeField]: Date.parse('2026-11-22T07:10:11.123Z') },
    { msg: 'one' },
    { msg: 'cut' },
  ])
})

t.test('joins split lines only up to a limit', async t => {
  const at = (rest: string) => `2026-11-22T07:10:11Z stdout ${rest}\n`
  // Container runtimes split lines every 16 KB.
  const line = (parts: number) => [
    at('P {"level":50,"msg":"'),
    ...Array.from({ length: parts }, () => at(`P ${'é'.repeat(8192)}`)),
    at('F "}'),
  ]
  t.match((await run(line(62))).sent, [{ level: 50, msg: /^é+$/ }], 'a line that Sixpane accepts')
  t.match((await run(line(80))).sent, [{ level: 50, msg: /^é+ … \[591,360 characters cut\]$/ }])
  const { sent, cutRecords } = await run([...line(520), at('F next')])
  t.match(sent, [{ msg: /^\{"level":50,"msg":"é+ … \[4,195,861 characters cut\]$/ }, { msg: 'next' }])
  t.equal(cutRecords, 1)
  t.match((await run([at(`F ${'x'.repeat(9_000_000)}`)])).sent, [
    { msg: /^x+ … \[8,936,000 characters cut\]$/ },
  ])
})

t.test('reads JSON after the prefixes of docker logs, docker compose logs and kubectl logs', async t => {
  const time = '2026-11-22T07:10:11.123456789Z'
  const { sent } = await run([
    `web-1     | {"level":50,"msg":"failed"}\n`,
    `worker-1  | ${time} {"msg":"done"}\n`,
    `${time} {"msg":"served","time":1700000001}\n`,
    `${time} served {"user":1}\n`,
    'ERROR     | {"user":1}\n',
    'web-1     | {"msg":"cut\n',
    'web-1     | {"msg":"whole","container.name":"own"}\n',
    `[pod/shop-7d9/web] ${time} {"msg":"ready"}\n`,
  ])
  t.match(sent, [
    { level: 50, msg: 'failed', service: 'shop', 'container.name': 'web-1' },
    { msg: 'done', 'container.name': 'worker-1', [textTimeField]: Date.parse('2026-11-22T07:10:11.123Z') },
    { msg: 'served', time: 1700000001, 'container.name': undefined },
    { msg: `${time} served {"user":1}` },
    { msg: 'ERROR     | {"user":1}', level: 'error' },
    { msg: '{"msg":"cut', 'container.name': 'web-1' },
    { msg: 'whole', 'container.name': 'own' },
    {
      msg: 'ready',
      'container.name': 'shop-7d9/web',
      [textTimeField]: Date.parse('2026-11-22T07:10:11.123Z'),
    },
  ])
})

t.test('joins the plain lines of each container', async t => {
  const { sent } = await run([
    'web-1     | Error: no cart\n',
    'worker-1  | TypeError: no order\n',
    'web-1     |     at total (/app/cart.js:1:2)\n',
    '[pod/shop-7d9/web] WARN slow\n',
    'worker-1  | 2026-11-22T07:10:11.123456789Z     at pay (/app/order.js:1:2)\n',
    'web-1     | 2026/11/22 07:10:11 served\n',
    'web-1     | 2026-11-22T07:10:12Z served\n',
    'cart.ts   | 85\n',
  ])
  const expected = [
    { msg: 'Error: no cart\n    at total (/app/cart.js:1:2)', 'container.name': 'web-1', level: 'error' },
    { msg: 'TypeError: no order\n    at pay (/app/order.js:1:2)', 'container.name': 'worker-1' },
    { msg: 'WARN slow', 'container.name': 'shop-7d9/web', level: 'warn' },
    // The zone of the container is unknown.
    { msg: '2026/11/22 07:10:11 served', [textTimeField]: undefined },
    { msg: '2026-11-22T07:10:12Z served', [textTimeField]: Date.parse('2026-11-22T07:10:12Z') },
    { msg: 'cart.ts   | 85', 'container.name': undefined },
  ]
  t.match(sent, expected)
  t.equal(sent.length, expected.length)
})

t.test('never joins the lines of different containers, even if there are many containers', async t => {
  const names = Array.from({ length: 150 }, (_, index) => `web-${index}`)
  const print = (text: string) => names.map(name => `${name}  | ${text} of ${name}\n`)
  const { sent } = await run([...print('Error: none'), ...print('    at total (/app/cart.js:1:2)')])
  t.equal(sent.flatMap(({ msg }) => msg.split('\n')).length, 2 * names.length)
  for (const { msg, 'container.name': name } of sent)
    t.ok(
      msg.split('\n').every((line: string) => line.endsWith(`of ${name}`)),
      msg,
    )
})

t.test('recognises levels', async t => {
  const levels: Record<string, string | undefined> = {
    '12:00:01 ERROR c.s.Cart - failed': 'error',
    '2026-11-21T10:00:00Z | WARN | slow': 'warn',
    ' ⨯ Failed to compile': 'error',
    ' ⚠ Fast Refresh had to reload': 'warn',
    'warn  - old config': 'warn',
    'error: no such file': 'error',
    '[error] 12#12: upstream': 'error',
    'time=1 level=debug msg=x': 'debug',
    'CRITICAL:root:no disk': 'fatal',
    '(node:12) [DEP0040] DeprecationWarning: punycode': 'warn',
    'E1122 07:10:11.123456    4321 server.go:42] no route': 'error',
    'I1122 07:10:11.123456    4321 server.go:42] listening': 'info',
    '11-22 07:10:11.123  1702  2395 W CartService: slow': 'warn',
    '11-22 07:10:11.123  u0_a12  1702  2395 E CartService: slow': 'error',
    '2026-11-22 07:10:11.123  1702  2395 V CartService: slow': 'trace',
    '11-22 07:10:11.123 F/libc    ( 1702): stopped': 'fatal',
    'D/CartService( 1702): opened': 'debug',
    '[C 261122 07:10:11 web:42] no disk': 'fatal',
    '[W 2026-11-22 07:10:11.123 ServerApp] no config': 'warn',
    'E, [2026-11-22T07:10:11.123456 #42] ERROR -- : failed': 'error',
    '2026-11-22 07:10:11, Error                 CBS    failed': 'error',
    'trce: Shop.Cart[0]': 'trace',
    'dbug: Shop.Cart[0] opened': 'debug',
    'fail: Microsoft.AspNetCore.Server.Kestrel[13]': 'error',
    'crit: Shop.Program.Worker`1[0]': 'fatal',
    '2026/11/22 07:10:11 [emerg] 1#1: host not found': 'fatal',
    '2026/11/22 07:10:11 [crit] 31#31: *1 connect() failed': 'fatal',
    '[Sun Nov 22 07:10:11.123456 2026] [php:error] [pid 12] failed': 'error',
    '[Sun Nov 22 07:10:11.123456 2026] [core:notice] [pid 12] started': 'info',
    '[22-Nov-2026 07:10:11 UTC] PHP Fatal error:  Allowed memory size exhausted': 'error',
    'PHP Parse error:  syntax error': 'error',
    '[2026-11-22 07:10:11,123: WARNING/MainProcess] slow': 'warn',
    '1:M 22 Nov 2026 07:10:11.123 # Possible SECURITY ATTACK detected': 'warn',
    '31:S 22 Nov 2026 07:10:11.123 * Connecting to MASTER': 'info',
    '31:C 22 Nov 2026 07:10:11.123 - Accepted 192.0.2.7:41': 'debug',
    'sent an [alert] to you': undefined,
    '[07:10:11 ERR] failed': 'error',
    '[07:10:11 WRN] Shop.Cart: slow': 'warn',
    '2026-11-22 07:10:11.123 +00:00 [FTL] stopped': 'fatal',
    '7:10AM DBG opened': 'debug',
    '2026-11-22T07:10:11Z ERR failed error=reset': 'error',
    'ERR wrong number of arguments': undefined,
    '07:10:11 found an ERR code': undefined,
    '2026-11-22T07:10:11.123Z error: failed': 'error',
    '2026-11-22 07:10:11 [shop] warn: slow': 'warn',
    '[2026-11-22 07:10:11,123] debug: opened': 'debug',
    'fail: no such file': undefined,
    '2026-11-22T07:10:11.123Z errors: none': undefined,
    '2026-11-22T07:10:11.123Z found an error: none': undefined,
    'I am here': undefined,
    'E: unable to locate the package': undefined,
    'D/cart is a path': undefined,
    '[E] is a letter': undefined,
    'W1122 is an id': undefined,
    'I1399 07:10:11.123 is not a date': undefined,
    'found 0 errors in 3 files': undefined,
    'GET /error 200': undefined,
    'Error handling is on': undefined,
    'information desk': undefined,
  }
  for (const [line, level] of Object.entries(levels)) {
    const { sent } = await run([line])
    t.equal(sent[0].level, level, line)
  }
})

t.test('sends a stack trace as one event, even if a JSON line follows', async t => {
  const { sent } = await run([
    'Error: boom\n    at f (/app/x.js:1:1)\n{"msg":"between"}\n',
    '/app/x.js:3\n    throw new Error()\n    ^\n\nError: last\n    at f (/app/x.js:1:1)\n\nNode.js v20.20.0\n',
  ])
  t.match(sent, [
    { msg: 'Error: boom\n    at f (/app/x.js:1:1)', level: 'error' },
    { msg: 'between' },
    { msg: /^\/app\/x\.js:3\n.*Node\.js v20\.20\.0$/s, level: 'fatal' },
  ])
})

t.test('sends a pending stack trace if nothing follows', async t => {
  const input = new PassThrough()
  const sent = new Promise<string>(resolve => {
    void pipe({ input, output: new PassThrough().resume(), defaults, send: resolve })
  })
  input.write('Error: boom\n    at f (/app/x.js:1:1)\n')
  t.match(JSON.parse(await sent), { msg: /boom\n {4}at f/ })
  input.end()
})

t.test('truncates long lines and marks the truncation', async t => {
  const { sent, passed, cutRecords } = await run([
    Buffer.alloc(3_000_000, 'x'),
    '\n{"a":"',
    Buffer.alloc(9_000_000, 'y'),
    '"}\nnext\n',
  ])
  t.equal(passed.length, 12_000_015)
  t.match(sent, [
    { msg: /x … \[2,936,000 characters cut\]$/ },
    { msg: /y … \[8,936,008 characters cut\]$/ },
    { msg: 'next' },
  ])
  t.equal(cutRecords, 1, 'reports the record')
  for (const event of sent) t.ok(JSON.stringify(event).length < 500_000)
  const coloured = await run([`\u001b[31m${'z'.repeat(64_001)}\u001b[0m\n`])
  t.match(coloured.sent, [{ msg: /z … \[1 character cut\]$/ }], 'escape codes are not counted')
  const short = await run([`a${'\u001b[31m'.repeat(40_000)}z\n`])
  t.match(short.sent, [{ msg: /^a.{0,5} … \[72,002 characters cut\]$/ }])
  const wide = await run([Buffer.from(`${'ü'.repeat(1_000_000)}\n`)])
  t.match(wide.sent, [{ msg: /ü … \[936,000 characters cut\]$/ }])
})

t.test('shortens long JSON lines, so that Sixpane does not reject them', async t => {
  const line = { level: 50, msg: 'failed', err: { stack: 'Error: x\n    at f (/x.js:1:1)' }, orderId: 7 }
  const { sent, cutRecords } = await run([
    `${JSON.stringify({ page: 'y'.repeat(2_000_000), ...line })}\n`,
    `2026-11-22T07:10:11Z stderr F ${JSON.stringify({ ...line, rows: Array(300_000).fill({ a: 1 }) })}\n`,
  ])
  t.match(sent, [line, line])
  t.match(sent, [{ page: /^y+ … \[1,936,000 characters cut\]$/, service: 'shop' }, {}])
  for (const event of sent) t.ok(Buffer.byteLength(JSON.stringify(event)) < 1024 * 1024)
  t.equal(cutRecords, 0)
})

t.test('pauses reading while the output is busy', async t => {
  let release = () => {}
  const output = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => {
      release = done
    },
  })
  let chunksRead = 0
  async function* input() {
    for (; chunksRead < 5; chunksRead++) yield Buffer.from('line\n')
  }
  const sent: string[] = []
  const piped = pipe({ input: input(), output, defaults, send: line => sent.push(line) })
  for (let turns = 0; turns < 20; turns++) await turn()
  t.equal(chunksRead, 0, 'reads nothing more while the output is busy')
  while (chunksRead < 5) {
    release()
    await turn()
  }
  release()
  await piped
  t.equal(sent.length, 5)
})

t.test('keeps sending events after the output is closed', async t => {
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  const output = new Writable({ write: (_chunk, _encoding, done) => done(closed) })
  const { sent, outputErrors } = await run(['one\n', 'two\n', 'three\n'], output)
  t.equal(sent.length, 3)
  t.same(outputErrors, [])
})

t.test('reports the first error of the output, and keeps sending events', async t => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const output = new Writable({ write: (_chunk, _encoding, done) => done(full) })
  const { sent, outputErrors } = await run(['one\n', 'two\n', 'three\n'], output)
  t.equal(sent.length, 3)
  t.same(outputErrors, [full])
})

t.test(
  'passes every byte through, and sends the same events regardless of how the input is chunked',
  async () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 30 }).map(bytes => Buffer.from(bytes)),
      fc.string({ unit: 'grapheme' }).map(text => Buffer.from(text)),
      fc
        .constantFrom(
          '{"msg":"a"}\n',
          'Error: x\n',
          '    at f (/x.js:1:1)\n',
          '\r\n',
          '\u001b[31mx\n',
          '{"a":"ü€',
        )
        .map(text => Buffer.from(text)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 20 }),
        fc.array(fc.nat(200), { maxLength: 5 }),
        async (pieces, cuts) => {
          const whole = Buffer.concat(pieces)
          const offsets = [
            0,
            ...cuts.map(cut => Math.min(cut, whole.length)).sort((a, b) => a - b),
            whole.length,
          ]
          const cut = await run(
            offsets.slice(1).map((offset, index) => whole.subarray(offsets[index], offset)),
          )
          const uncut = await run([whole])
          const serialise = (sent: object[]) => JSON.stringify(sent.map(event => ({ ...event, time: 0 })))
          return (
            cut.passed.equals(whole) &&
            uncut.passed.equals(whole) &&
            serialise(cut.sent) === serialise(uncut.sent)
          )
        },
      ),
      { numRuns: 200 },
    )
  },
)

t.test('removes all listeners after waiting for the output', async t => {
  const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => setImmediate(done) })
  const names = ['drain', 'close', 'error']
  const counts: number[][] = []
  async function* input() {
    for (let index = 0; index < 20; index++) {
      yield Buffer.from('line\n')
      counts.push(names.map(name => output.listenerCount(name)))
    }
  }
  await pipe({ input: input(), output, defaults, send: () => {} })
  t.same(counts.at(-1), counts[0])
})
