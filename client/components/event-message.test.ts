import t from 'tap'
import { messageParts } from './event-message.tsx'

const bare = { body: '', exception: null, method: null, route: null, status: null }
const request = { method: 'GET', route: '/cart/:id' }
const messageOf = (event: Partial<Parameters<typeof messageParts>[0]>) => {
  const { type, text, context } = messageParts({ ...bare, ...event })
  return [...(type === null ? [] : [`${type}:`]), text, ...context.map(part => `(${part})`)].join(' ')
}

t.test('a response is identified by its request, not by the message that all responses share', async t => {
  const response = { ...request, status: 200 }
  t.equal(messageOf({ ...response, body: 'Request completed' }), 'GET /cart/:id (Request completed)')
  t.equal(messageOf({ ...response, body: 'GET /cart/:id' }), 'GET /cart/:id')
  t.equal(messageOf({ ...response, body: 'GET /cart/:id 200' }), 'GET /cart/:id', 'the body of OTLP requests')
  t.equal(messageOf(response), 'GET /cart/:id')
  const withPath = { method: 'GET', path: '/products/17', status: 200 }
  t.equal(messageOf({ ...withPath, body: 'request completed' }), 'GET /products/17 (request completed)')
  t.equal(
    messageOf({ ...withPath, body: 'GET /products/17 200' }),
    'GET /products/17',
    'an OpenTelemetry span',
  )
  t.equal(messageOf({ status: 200, body: 'Job done' }), 'Job done')
})

t.test('other events are identified by their message', async t => {
  t.equal(messageOf({ ...request, body: ' Loading the cart\n' }), 'Loading the cart (GET /cart/:id)')
  t.equal(messageOf({ body: 'Started' }), 'Started')
  t.equal(messageOf(request), 'GET /cart/:id')
  t.equal(messageOf({}), '')
})

t.test('an error is identified by its exception, followed by the logged message', async t => {
  const exception = { type: 'TypeError', message: 'x is null' }
  t.equal(messageOf({ exception, body: 'Checkout failed' }), 'TypeError: x is null (Checkout failed)')
  t.equal(
    messageOf({ exception, body: 'Checkout failed', ...request }),
    'TypeError: x is null (Checkout failed) (GET /cart/:id)',
  )
  t.equal(
    messageOf({ exception, body: 'Failed to load /cart/:id', ...request }),
    'TypeError: x is null (Failed to load /cart/:id)',
    'the route is not repeated',
  )
  for (const body of ['x is null', 'TypeError: x is null', '']) {
    t.equal(messageOf({ exception, body }), 'TypeError: x is null', 'the message is not repeated')
  }
  t.equal(messageOf({ exception: { type: 'Abort', message: '' }, body: 'Stopped' }), 'Abort: Stopped')
  t.equal(messageOf({ exception: { type: 'Abort', message: '' }, body: 'Abort' }), 'Abort')
  t.equal(messageOf({ exception: { type: 'Abort', message: 'Abort: stopped' } }), 'Abort: stopped')
})
