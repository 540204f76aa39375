import t from 'tap'
import { messageParts } from './event-message.tsx'

const bare = { body: '', exception: null, method: null, route: null, status: null }
const request = { method: 'GET', route: '/cart/:id' }
const said = (event: Partial<Parameters<typeof messageParts>[0]>) => {
  const { type, text, context } = messageParts({ ...bare, ...event })
  return [...(type === null ? [] : [`${type}:`]), text, ...context.map(part => `(${part})`)].join(' ')
}

t.test('a response is identified by its request, not by the message that all responses share', async t => {
  const response = { ...request, status: 200 }
  t.equal(said({ ...response, body: 'Request completed' }), 'GET /cart/:id (Request completed)')
  t.equal(said({ ...response, body: 'GET /cart/:id' }), 'GET /cart/:id')
  t.equal(said(response), 'GET /cart/:id')
  t.equal(said({ status: 200, body: 'Job done' }), 'Job done')
})

t.test('other events are identified by their message', async t => {
  t.equal(said({ ...request, body: ' Loading the cart\n' }), 'Loading the cart (GET /cart/:id)')
  t.equal(said({ body: 'Started' }), 'Started')
  t.equal(said(request), 'GET /cart/:id')
  t.equal(said({}), '')
})

t.test('an error is identified by its exception, followed by the logged message', async t => {
  const exception = { type: 'TypeError', message: 'x is null' }
  t.equal(said({ exception, body: 'Checkout failed' }), 'TypeError: x is null (Checkout failed)')
  t.equal(
    said({ exception, body: 'Checkout failed', ...request }),
    'TypeError: x is null (Checkout failed) (GET /cart/:id)',
  )
  t.equal(
    said({ exception, body: 'Failed to load /cart/:id', ...request }),
    'TypeError: x is null (Failed to load /cart/:id)',
    'the route is not repeated',
  )
  for (const body of ['x is null', 'TypeError: x is null', '']) {
    t.equal(said({ exception, body }), 'TypeError: x is null', 'the message is not repeated')
  }
  t.equal(said({ exception: { type: 'Abort', message: '' }, body: 'Stopped' }), 'Abort: Stopped')
  t.equal(said({ exception: { type: 'Abort', message: '' }, body: 'Abort' }), 'Abort')
  t.equal(said({ exception: { type: 'Abort', message: 'Abort: stopped' } }), 'Abort: stopped')
})
