import Fastify from 'fastify'
import t from 'tap'
import { QueryLimitError } from '../store/store.ts'
import { fakeContext } from '../testing/fake-context.ts'
import { stubPlugins } from '../testing/stub-plugins.ts'
import errors from './error-handler.ts'

t.test('tells visitors and clients which limit a query exceeded, without the cause', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  stubPlugins(app)
  app.register(errors, { context: fakeContext() })
  app.get('/', async () => {
    throw new QueryLimitError('The query needs too much memory', { cause: new Error('secret cause') })
  })
  const page = await app.inject({ url: '/', headers: { accept: 'text/html' } })
  t.equal(page.statusCode, 422)
  t.match(page.body, 'The query needs too much memory. Choose a shorter time range or a narrower search.')
  t.notMatch(page.body, 'Application error')
  const json = await app.inject({ url: '/' })
  t.equal(json.statusCode, 422)
  t.match(json.json(), { message: /^The query needs too much memory\. Choose a shorter time range/ })
  t.notMatch(page.body + json.body, 'secret cause')
})
