import Fastify from 'fastify'
import t from 'tap'
import { readConfig } from '../config.ts'
import access from './access.ts'
import headers from './headers.ts'

async function start(env: Record<string, string>) {
  const fastify = Fastify()
  await fastify.register(headers)
  await fastify.register(access, { context: { config: readConfig(env) } })
  for (const url of ['/livez', '/readyz', '/activities', '/ingest']) fastify.get(url, async () => 'ok')
  return fastify
}

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

t.test('with a password everything but the probes asks for it', async t => {
  const fastify = await start({ SIXPANE_PASSWORD: 'correct horse: battery' })
  for (const url of ['/livez', '/readyz']) t.equal((await fastify.inject(url)).statusCode, 200, url)
  for (const url of ['/activities', '/ingest', '/nowhere']) {
    const answer = await fastify.inject(url)
    t.equal(answer.statusCode, 401, url)
    t.match(answer.headers['www-authenticate'], /^Basic realm="Sixpane"/)
    t.ok(answer.headers['content-security-policy'], 'the usual headers are there')
  }
  for (const wrong of ['any:wrong', 'any:', ':', 'correct horse: battery', 'any:correct horse: batter']) {
    const answer = await fastify.inject({ url: '/activities', headers: basic(wrong) })
    t.equal(answer.statusCode, 401, wrong)
  }
  const answer = await fastify.inject({ url: '/activities', headers: basic('any:correct horse: battery') })
  t.equal(answer.statusCode, 200)
})

t.test('without one nothing asks', async t => {
  const fastify = await start({})
  t.equal((await fastify.inject('/activities')).statusCode, 200)
})
