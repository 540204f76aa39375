import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import t from 'tap'
import { locateFile } from '../../stacks/file-location.ts'
import { stackFrames } from '../../stacks/stack.ts'
import { withoutPauses } from '../../testing/pauses.ts'
import { readEnvelopeStart } from './envelope.ts'
import { readSentryItems, readStoredEvent } from './read-items.ts'
import { normalise, sender } from './testing.ts'

/**
 * Requests from SDKs. The requests from the JavaScript and Python SDKs were recorded and shortened. The others are examples
 * with the fields that their SDKs send. Files with the extension `.json` are single events from an SDK that sends no
 * envelopes.
 */
const folder = join(import.meta.dirname, 'fixtures')
const nowMs = Date.parse('2026-11-23T08:10:00Z')

function read(file: string) {
  const body = readFileSync(join(folder, file))
  const found = extname(file) === '.json' ? readStoredEvent(body, sender) : readEnvelope(body)
  const items = withoutPauses(found)
  return {
    errors: items.flatMap(item => ('reason' in item ? [item.reason] : [])),
    ignored: items.flatMap(item => ('ignored' in item && item.ignored !== null ? [item.ignored] : [])),
    events: items
      .flatMap(item => ('records' in item ? item.records : []))
      .map(record => normalise(record, 'sentry', nowMs)),
  }
}

function readEnvelope(body: Buffer) {
  const { header, itemsStart } = readEnvelopeStart(body)
  const eventId = typeof header.event_id === 'string' ? header.event_id : null
  return readSentryItems(body, itemsStart, { ...sender, eventId })
}

const shop = { service: 'shop', release: '1.2.3', source: 'sentry' }
const web = { service: 'web', release: '3.0.0', source: 'sentry' }
const billing = { service: 'billing', release: '2.0.0', source: 'sentry' }
const machine = { 'host.name': 'host-1', 'deployment.environment.name': 'prod' }

const nodeError = {
  ...shop,
  severity: 'error',
  body: 'no total',
  method: 'GET',
  exception: {
    type: 'TypeError',
    message: 'no total',
    stack: /^TypeError: no total\n[\s\S]*\ncaused by: RangeError: negative\n/,
  },
  attributes: {
    ...machine,
    handled: false,
    'user.id': 'u1',
    'url.full': 'https://shop.example/cart/7?x=1',
    tags: { plan: 'pro' },
    breadcrumbs: [{ category: 'cart', message: 'loaded cart', level: 'info', data: { id: '7' } }],
  },
}
const nodeRequest = {
  ...shop,
  severity: 'error',
  body: 'GET /cart/:id 500',
  method: 'GET',
  route: '/cart/:id',
  status: 500,
  traceId: /^[\da-f]{32}$/,
  attributes: { 'url.full': 'https://shop.example/cart/7?x=1', 'user.id': 'u1' },
}
const browserError = {
  ...web,
  severity: 'error',
  body: 'cart is empty',
  route: '/cart.html',
  exception: {
    type: 'TypeError',
    stack: /at HTMLButtonElement.<anonymous> \(https:\/\/shop\.example\/b\d+\.js:\d+:\d+\)/,
  },
  attributes: {
    handled: false,
    'url.full': 'https://shop.example/cart.html',
    'user_agent.original': /Chrome/,
  },
}
const pythonFields = {
  ...billing,
  method: 'GET',
  route: '/pay',
  attributes: { 'user.id': 'u9', 'host.name': 'host-1' },
}
const message = { ...shop, severity: 'warn', body: 'hello message', exception: null, fingerprint: null }
const vital = (name: string, value: number, route: string | null) => ({
  ...web,
  route,
  severity: 'info',
  attributes: { vital: { name, value } },
})
const sessions = (started: number, crashed: number) => ({
  severity: 'debug',
  attributes: { sessions: { started, crashed, abnormal: 0 }, 'deployment.environment.name': 'prod' },
})

/** The expected events of each file, in order. */
const expected: Record<string, object[]> = {
  'browser-8-error.envelope': [browserError],
  'browser-8-interaction.envelope': [vital('INP', 16, '/cart.html')],
  'browser-8-pageload.envelope': [vital('LCP', 64, '/cart.html'), vital('TTFB', 9.1, '/cart.html')],
  'browser-8-rejection.envelope': [
    {
      ...browserError,
      body: 'rejected',
      exception: { type: 'RangeError' },
      attributes: { mechanism: 'onunhandledrejection' },
    },
  ],
  'browser-11-error.envelope': [browserError],
  'browser-11-interaction.envelope': [vital('INP', 32, null), vital('CLS', 0, null)],
  'browser-11-log.envelope': [{ ...web, severity: 'info', body: 'hello log', attributes: { a: 1 } }],
  'browser-11-session.envelope': [{ ...web, ...sessions(0, 1) }],
  'browser-11-spans.envelope': [vital('LCP', 40, null), vital('TTFB', 5, '/cart.html')],
  'go-error.envelope': [
    {
      ...shop,
      severity: 'fatal',
      method: 'GET',
      body: 'index out of range [5] with length 3',
      exception: { type: 'runtime.Error' },
      attributes: {
        ...machine,
        'url.full': 'https://shop.example/cart/7?page=2',
        'user_agent.original': 'curl/8.5',
      },
    },
  ],
  'java-error.envelope': [
    {
      ...shop,
      severity: 'fatal',
      body: 'no total',
      method: 'GET',
      route: '/cart/{id}',
      exception: {
        type: 'IllegalStateException',
        stack: /\n\tat [\s\S]*\nCaused by: com\.shop\.PriceException: negative: -3\n/,
      },
      attributes: { ...machine, handled: false, mechanism: 'Spring6ExceptionResolver' },
    },
  ],
  'node-8-check-in.envelope': [],
  'node-8-error.envelope': [nodeError],
  'node-8-message.envelope': [message],
  'node-8-sessions.envelope': [{ ...shop, ...sessions(2, 1), timeMs: Date.parse('2026-11-23T07:40:00Z') }],
  'node-8-string.envelope': [
    { ...shop, severity: 'error', exception: { type: 'Error', message: 'a string' } },
  ],
  'node-9-client-report.envelope': [],
  'node-9-log.envelope': [
    {
      ...shop,
      severity: 'warn',
      body: 'low stock',
      attributes: { sku: 'A1', left: 2, 'user.id': 'u1', ...machine },
    },
  ],
  'node-9-request.envelope': [nodeRequest],
  'node-9-session.envelope': [{ ...shop, ...sessions(1, 1) }],
  'node-10-error.envelope': [{ ...nodeError, route: '/cart/:id' }],
  'node-10-request.envelope': [nodeRequest],
  'node-11-error.envelope': [{ ...nodeError, route: '/cart/:id' }],
  'node-11-message.envelope': [message],
  'node-11-spans.envelope': [nodeRequest, { ...shop, body: 'GET /none 404', status: 404, route: null }],
  'php-error.envelope': [
    {
      ...shop,
      severity: 'error',
      digest: 'c3d7e2f4a5b66f7a8c9d0e1f2a3b4c5d',
      method: 'GET',
      route: '/cart/{id}',
      exception: { type: 'DivisionByZeroError', message: 'Division by zero' },
      attributes: {
        ...machine,
        handled: false,
        'user_agent.original': 'curl/8.5',
        breadcrumbs: [{ category: 'sql.query' }],
      },
    },
  ],
  'python-1-error.json': [
    {
      ...pythonFields,
      severity: 'error',
      exception: {
        type: 'ValueError',
        stack: /^Traceback[\s\S]*\nZeroDivisionError: [\s\S]*\nValueError: bad amount$/,
      },
    },
  ],
  'python-1-logged.json': [
    { ...pythonFields, severity: 'error', body: 'payment failed for order 7', exception: null },
  ],
  'python-1-message.json': [{ ...pythonFields, severity: 'info', body: 'hi' }],
  'python-1-request.envelope': [{ ...pythonFields, severity: 'info', body: 'GET /pay', durationMs: 275.452 }],
  'ruby-error.envelope': [
    {
      ...shop,
      severity: 'error',
      method: 'GET',
      route: 'CartsController#show',
      exception: { type: 'NoMethodError' },
      attributes: {
        ...machine,
        'user.id': 7,
        mechanism: 'rails',
        sourceLines: [{ lines: ['      item.price'] }, { lines: ['    @total = cart.total'] }],
      },
    },
  ],
}

t.test('reads the events in SDK requests', async t => {
  t.same(Object.keys(expected).toSorted(), readdirSync(folder).toSorted())
  for (const [file, events] of Object.entries(expected)) {
    const found = read(file)
    t.match(found.events, events, file)
    t.equal(found.events.length, events.length, file)
    t.same(found.errors, [], file)
    t.notMatch(JSON.stringify(found.events), /secret|Bearer x/, file)
  }
})

t.test('counts items that are not stored', async t => {
  t.same(read('node-8-check-in.envelope').ignored, [{ kind: 'check-in', count: 1 }])
  t.same(read('node-9-client-report.envelope').ignored, [{ kind: 'discarded by an SDK', count: 1 }])
  t.same(read('browser-11-spans.envelope').ignored, [{ kind: 'span', count: 1 }])
})

t.test('an error belongs to the same failure, whichever SDK version reports it', async t => {
  const files = ['node-8-error.envelope', 'node-10-error.envelope', 'node-11-error.envelope']
  const fingerprints = files.map(file => read(file).events[0]?.fingerprint)
  t.equal(new Set(fingerprints).size, 1)
})

t.test('frames of libraries and runtimes do not belong to the application', async t => {
  const applicationFiles: Record<string, string[]> = {
    'go-error.envelope': ['/app/cart/cart.go', '/app/web/cart.go'],
    'java-error.envelope': [
      ...['com/shop/Cart.java', 'com/shop/web/CartController.java'],
      ...['com/shop/Price.java', 'com/shop/Cart.java'],
    ],
    'node-10-error.envelope': ['/app/app.mjs', '/app/app.mjs'],
    'php-error.envelope': [
      '/var/www/html/app/Models/Cart.php',
      '/var/www/html/app/Http/Controllers/CartController.php',
    ],
    'python-1-error.json': ['/app/py.py', '/app/py.py', '/app/py.py', '/app/py.py'],
    'ruby-error.envelope': ['/app/app/models/cart.rb', '/app/app/controllers/carts_controller.rb'],
  }
  for (const [file, paths] of Object.entries(applicationFiles)) {
    const frames = stackFrames(read(file).events[0]?.exception?.stack ?? '')
    const files = frames.filter(frame => locateFile(frame.file).inApp).map(frame => frame.file)
    t.same(files, paths, file)
  }
})
