import fc from 'fast-check'
import t from 'tap'
import type { Attributes } from '../../../shared/event.ts'
import { stackFrames } from '../../stacks/stack.ts'
import { eventFields, eventRecord } from './event-record.ts'
import { normalise, sender } from './testing.ts'

const nowMs = Date.parse('2026-11-23T08:02:00Z')
const read = (event: Attributes) => normalise(eventRecord(event, sender), 'sentry', nowMs)
const thrown = { exception: { values: [{ type: 'Error', value: 'broken' }] } }

t.test('an event without an exception is a log line', async t => {
  t.match(read({ message: 'hello' }), { severity: 'info', body: 'hello', exception: null, fingerprint: null })
  t.match(read({ message: 'hello', level: 'warning' }), { severity: 'warn' })
  t.match(read({ logentry: { message: 'to %s', params: ['ada'] }, level: 'error' }), { body: 'to ada' })
  const values = [{ value: 'hello', mechanism: { synthetic: true }, stacktrace: { frames: [] } }]
  t.match(read({ exception: { values } }), { body: 'hello', exception: null, severity: 'info' })
})

t.test('an event with an exception is an occurrence of a failure, and may have its own message', async t => {
  t.match(read(thrown), { severity: 'error', body: 'broken', exception: { type: 'Error' } })
  t.match(read({ ...thrown, level: 'fatal', message: 'Payment failed' }), {
    severity: 'fatal',
    body: 'Payment failed',
    exception: { message: 'broken' },
  })
})

t.test('an exception without a message and a stack is an occurrence of a failure', async t => {
  const values = [{ type: 'TimeoutError', value: '' }]
  for (const exception of [{ values }, { values: [{ type: 'TimeoutError' }] }])
    t.match(read({ level: 'error', exception }), {
      ...{ severity: 'error', body: 'TimeoutError', fingerprint: /^[0-9a-f]{10}$/ },
      exception: { type: 'TimeoutError', message: 'TimeoutError', stack: null },
    })
  t.match(read({ message: 'No reply', exception: { values } }), {
    ...{ body: 'No reply', exception: { type: 'TimeoutError' } },
  })
})

t.test('extra data does not set the fields of the event, except for the request id', async t => {
  const extra = { message: 'hello', status: 502, duration: 1200, level: 'info', err: { stack: 'Error: x' } }
  t.match(read({ ...thrown, extra }), {
    ...{ severity: 'error', body: 'broken', status: null, durationMs: null },
    exception: { message: 'broken' },
    attributes: { extra },
  })
  t.match(read({ message: 'hello', extra }), { severity: 'info', exception: null, attributes: { extra } })
  t.match(read({ ...thrown, extra: { reqId: 'r1' } }), { requestId: 'r1' })
})

t.test('finds the digest in tags, extra data and contexts, otherwise uses the event id', async t => {
  const digest = '2338471'
  for (const location of [
    { tags: { digest } },
    { extra: { digest } },
    { extra: { __serialized__: { digest } } },
    { contexts: { TypeError: { digest } } },
  ]) {
    t.match(read({ ...thrown, ...location, event_id: 'e1' }), { digest }, JSON.stringify(location))
  }
  t.match(read({ ...thrown, event_id: 'e1' }), { digest: 'e1', attributes: { event_id: 'e1' } })
})

t.test('stores the URL and headers of a request, but no cookies', async t => {
  const url = 'https://shop.example/cart/7'
  const cases: [Attributes, object][] = [
    [{ url }, { 'url.full': url }],
    [{ url: '/cart/7' }, { 'url.path': '/cart/7' }],
    [{ url, query_string: 'a=1' }, { 'url.full': `${url}?a=1` }],
    [{ url: `${url}?a=1`, query_string: 'a=1' }, { 'url.full': `${url}?a=1` }],
    [{ url, query_string: [['a', '1']] }, { 'url.full': url }],
    [{ headers: { 'User-Agent': 'curl' } }, { 'user_agent.original': 'curl' }],
    [{ headers: { 'user-agent': ['curl'] } }, { 'user_agent.original': 'curl' }],
    [{ headers: [['User-Agent', 'curl']] }, { 'user_agent.original': 'curl' }],
    [{ headers: { Accept: '*/*', Cookie: 'a', baggage: 'b' } }, { 'http.request.header': { Accept: '*/*' } }],
    [{ cookies: 'sid=1', data: 'card=1', env: {} }, {}],
  ]
  for (const [request, attributes] of cases) {
    t.same(read({ message: 'm', request }).attributes, attributes, JSON.stringify(request))
  }
})

t.test('stores debug ids under the names of the generated files', async t => {
  const images = [
    { type: 'sourcemap', code_file: '/app/a.js', debug_id: '85314830-023f-4cf1-a267-535f4e37bb17' },
    { type: 'macho', code_file: '/app/b', debug_id: 'x' },
    { type: 'sourcemap', code_file: 7, debug_id: 'x' },
    null,
  ]
  t.same(read({ message: 'm', debug_meta: { images } }).attributes, {
    debugIds: { '/app/a.js': '85314830-023f-4cf1-a267-535f4e37bb17' },
  })
})

t.test('stores the affected user, without placeholders', async t => {
  const user = { id: 7, email: 'ada@shop.example', username: 'ada', ip_address: '{{auto}}', segment: 'x' }
  t.same(read({ message: 'm', user }).attributes, {
    'user.id': 7,
    'user.email': 'ada@shop.example',
    'user.name': 'ada',
  })
  t.same(read({ message: 'm', user: { name: 'Ada' } }).attributes, { 'user.name': 'Ada' })
  t.same(read({ message: 'm', user: { username: 'ada', name: 'Ada' } }).attributes, { 'user.name': 'ada' })
})

t.test('stores a fingerprint set by the application, but does not group by it', async t => {
  const own = read({ ...thrown, fingerprint: ['{{ default }}'] })
  t.same(own.attributes, {})
  const custom = read({ ...thrown, fingerprint: ['{{ default }}', 'payment'] })
  t.same(custom.attributes, { 'sentry.fingerprint': ['{{ default }}', 'payment'] })
  t.equal(custom.fingerprint, own.fingerprint)
})

t.test('omits contexts that describe the machine', async t => {
  const contexts = {
    device: { a: 1 },
    app: { a: 1 },
    trace: { op: 'x' },
    culture: { a: 1 },
    cart: { size: 2 },
  }
  t.same(read({ message: 'm', contexts }).attributes, { contexts: { cart: { size: 2 } } })
})

t.test('property: every JSON object becomes an event with at most 200 frames', async () => {
  const platform = fc.constantFrom('node', 'python', 'java', 'go', 'csharp', 'ruby', 'constructor')
  const frame = fc.record(
    {
      function: fc.jsonValue(),
      module: fc.jsonValue(),
      filename: fc.jsonValue(),
      abs_path: fc.jsonValue(),
      lineno: fc.jsonValue(),
      context_line: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const exception = fc.record(
    {
      type: fc.jsonValue(),
      value: fc.jsonValue(),
      module: fc.jsonValue(),
      mechanism: fc.jsonValue(),
      stacktrace: fc.record({ frames: fc.array(fc.oneof(frame, fc.jsonValue())) }),
    },
    { requiredKeys: [] },
  )
  const fields = fc.dictionary(fc.constantFrom(...eventFields), fc.jsonValue())
  fc.assert(
    fc.property(platform, fields, fc.array(exception), (platform, fields, values) => {
      const given = JSON.parse(JSON.stringify({ ...fields, platform, exception: { values } }))
      const event = read(given)
      const stack = event.exception?.stack ?? null
      return event.source === 'sentry' && (stack === null || stackFrames(stack).length <= 200)
    }),
  )
})
