import fc from 'fast-check'
import Fastify from 'fastify'
import t from 'tap'
import { runToEnd } from '../testing/pauses.ts'
import { acceptAnyBody, concat, readBody } from './read-body.ts'

t.test('joins the chunks of a body, and pauses after each chunk', async t => {
  const chunks = ['one', 'two', 'three'].map(text => Buffer.from(text))
  const { result, pauses } = runToEnd(concat(chunks))
  t.equal(result.toString(), 'onetwothree')
  t.equal(pauses, 3)
  t.equal(chunks.length, 0)
})

t.test('does not copy a single-chunk body', async t => {
  const chunk = Buffer.from('one')
  t.equal(runToEnd(concat([chunk])).result, chunk)
  t.equal(runToEnd(concat([])).result.length, 0)
})

t.test('property: a body with any Content-Type is read, and a valid type is unchanged', async t => {
  const app = Fastify()
  acceptAnyBody(app)
  app.post('/', async request => ({
    body: String(await readBody(request, { limitBytes: 100, reserve: () => {} })),
    type: request.headers['content-type'],
  }))
  t.teardown(() => app.close())
  const send = async (type: string) => {
    const headers = { 'content-type': type }
    return (await app.inject({ method: 'POST', url: '/', payload: 'one', headers })).json()
  }
  for (const type of [
    'text/plain',
    'application/json; charset=utf-8',
    'Text/X-a+b ;',
    'a/b;c',
    'multipart/form-data; boundary="x"',
  ])
    t.same(await send(type), { body: 'one', type })
  for (const type of [
    'json',
    '',
    ';',
    'text/',
    '/plain',
    'text /plain',
    'text/plain, text/html',
    'a/b/c',
    'undefined',
  ])
    t.same(await send(type), { body: 'one', type: 'application/octet-stream' }, type)
  const text = fc.string({ unit: fc.constantFrom(...'ab/;,= \t"<é') })
  await fc.assert(fc.asyncProperty(text, async type => (await send(type.trim())).body === 'one'))
})
