import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import t from 'tap'
import { stubPlugins } from '../testing/stub-plugins.ts'
import { readPageRequest } from './page-request.ts'

t.test('addresses in the same IPv6 network count as one visitor, so that they share one turn', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  stubPlugins(app)
  app.register(cookie)
  app.get('/', request => readPageRequest('home', null, new AbortController().signal, request).visitor)
  const visitorAt = async (remoteAddress: string) => (await app.inject({ url: '/', remoteAddress })).body
  t.equal(await visitorAt('2001:db8::1'), await visitorAt('2001:db8::2'))
  t.not(await visitorAt('2001:db8::1'), await visitorAt('2001:db8:0:1::1'))
  t.not(await visitorAt('192.0.2.1'), await visitorAt('192.0.2.2'))
})
