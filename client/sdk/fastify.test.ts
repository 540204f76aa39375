import { fastify } from 'fastify'
import t, { type Test } from 'tap'
import sixpane from './fastify.ts'
import { startRequestContext } from './request-context.ts'

t.beforeEach(t => {
  // The plugin does not start a second context, so the test can stop the first.
  t.teardown(startRequestContext())
})

function application(t: Test) {
  const lines: string[] = []
  const app = fastify({ logger: { stream: { write: line => void lines.push(line) } } })
  t.teardown(() => app.close())
  return {
    app,
    /** Sends a request, and returns its response and log lines. */
    async get(path: string) {
      const response = await app.inject(path)
      await app.close()
      const records = lines.map(line => JSON.parse(line)).filter(({ reqId }) => reqId !== undefined)
      return { response, errors: records.filter(({ level }) => level >= 50), records }
    },
  }
}

t.test('a failure has a digest, which the visitor sees and the log contains once', async t => {
  const { app, get } = application(t)
  app.register(sixpane)
  app.get('/', async () => {
    throw new Error('wrong database password')
  })
  const { response, errors } = await get('/')
  const { digest, ...body } = response.json()
  t.equal(response.statusCode, 500)
  t.match(digest, /^[\da-f]{12}$/)
  t.same(body, { statusCode: 500, error: 'Internal Server Error' })
  t.match(response.headers['content-type'], 'application/json')
  t.equal(errors.length, 1)
  t.match(errors[0], {
    digest,
    msg: 'wrong database password',
    err: { type: 'Error', stack: 'fastify.test.ts' },
  })
})

t.test('a failure in any scope, with any status or thrown value, has a digest', async t => {
  const thrown = [
    {
      value: Object.assign(new Error('busy'), { statusCode: 503, headers: { 'retry-after': '7' } }),
      status: 503,
    },
    { value: Object.assign(new Error('known'), { digest: '2338471' }), status: 500, digest: '2338471' },
    { value: 'text', status: 500 },
    { value: null, status: 500 },
  ]
  for (const { value, status, digest = /^[\da-f]{12}$/ } of thrown) {
    const { app, get } = application(t)
    await app.register(sixpane)
    app.register(async scope => {
      scope.get('/', { schema: { response: { '5xx': { type: 'object', properties: {} } } } }, () =>
        Promise.reject(value),
      )
    })
    const { response, errors } = await get('/')
    t.equal(response.statusCode, status)
    t.match(response.json(), { statusCode: status, digest })
    t.match(errors, [{ digest: response.json().digest }])
    t.equal(errors.length, 1)
    if (status === 503) t.equal(response.headers['retry-after'], '7')
  }
})

t.test(
  'a failure whose error pino cannot log has a digest, and the visitor sees only the digest',
  async t => {
    class PaymentError extends Error {}
    const frozen = Object.freeze(new PaymentError('secret card', { cause: new TypeError('root') }))
    const trap = Object.defineProperty(new Error('secret name'), 'cause', {
      get() {
        throw new Error('secret trap')
      },
    })
    for (const [error, logged] of [
      [frozen, { msg: 'secret card', err: { type: 'PaymentError', stack: 'caused by: TypeError: root' } }],
      [trap, { msg: 'secret name' }],
    ] as const) {
      const { app, get } = application(t)
      app.register(sixpane)
      app.get('/', async () => {
        throw error
      })
      const { response, errors } = await get('/')
      t.notMatch(response.body, 'secret')
      t.equal(errors.length, 1)
      t.match(errors[0], { ...logged, digest: response.json().digest })
    }
  },
)

t.test('logs the route of a failure without a stack, because the route determines its group', async t => {
  for (const value of [null, 5, { code: 1 }]) {
    const { app, get } = application(t)
    app.register(sixpane)
    app.get('/cart/:id', () => Promise.reject(value))
    const { errors } = await get('/cart/7')
    t.match(errors, [{ msg: 'Request failed', err: value, route: '/cart/:id' }])
  }
})

t.test('an error with a status below 500 is not a failure', async t => {
  const { app, get } = application(t)
  app.register(sixpane)
  app.get('/', async () => {
    throw Object.assign(new Error('no such cart'), { statusCode: 404 })
  })
  const { response, errors } = await get('/')
  t.match(response.json(), { statusCode: 404, message: 'no such cart' })
  t.same(errors, [])
})

t.test("does not replace the application's error handler", async t => {
  const { app, get } = application(t)
  app.register(sixpane)
  app.setErrorHandler((_, __, reply) => reply.code(500).send('own page'))
  app.get('/', async () => {
    throw new Error('failed')
  })
  const { response, errors } = await get('/')
  t.equal(response.body, 'own page')
  t.same(errors, [])
})
