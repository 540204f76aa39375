import Fastify from 'fastify'
import t, { type Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { createClean } from '../../events/clean.ts'
import { createNormalise } from '../../events/normalise.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { stubPlugins } from '../../testing/stub-plugins.ts'
import sentry from './sentry.ts'

/** Returns a function that sends session updates, and one that returns the messages of the stored events. */
function setUp(t: Test) {
  const stored: NewEvent[] = []
  const keys = new Set<string>()
  const fake = fakeContext()
  const store = async (events: readonly NewEvent[]) => {
    stored.push(...events)
  }
  const context = fakeContext({
    normalise: createNormalise(createClean([]), fake.failures),
    events: {
      ...fake.events,
      accept: async (events, _sizeBytes, key = '') => {
        if (keys.has(key)) return
        if (key !== '') keys.add(key)
        await store(events)
      },
    },
  })
  const app = Fastify()
  stubPlugins(app)
  app.register(sentry, { context })
  t.teardown(() => app.close())
  const send = async (...updates: object[]) => {
    const items = updates.flatMap(update => [{ type: 'session' }, { timestamp: new Date(), ...update }])
    const payload = [{ sent_at: new Date() }, ...items].map(line => JSON.stringify(line)).join('\n')
    const response = await app.inject({ method: 'POST', url: '/shop/api/1/envelope/', payload })
    t.equal(response.statusCode, 200)
  }
  return { send, messages: () => stored.map(({ body }) => body) }
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

t.test('counts a session and its crash once, even if the SDK reports the crash several times', async t => {
  const { send, messages } = setUp(t)
  await send({ sid: 'a', init: true, status: 'ok' })
  for (const seconds of [2, 1])
    await send({ sid: 'a', init: false, status: 'crashed', timestamp: secondsAgo(seconds) })
  await send({ sid: 'a', init: false, status: 'exited' })
  t.same(messages(), ['Sessions: 1 started', 'Sessions: 1 crashed'])
})

t.test('counts a session that starts with a crash only once', async t => {
  const { send, messages } = setUp(t)
  await send({ sid: 'a', init: true, status: 'crashed' })
  await send({ sid: 'a', init: false, status: 'crashed' })
  t.same(messages(), ['Sessions: 1 started, 1 crashed'])
})

t.test('counts different sessions, even in one envelope', async t => {
  const { send, messages } = setUp(t)
  await send({ sid: 'a', init: true, status: 'unhandled' })
  await send({ sid: 'b', init: true, status: 'unhandled' })
  await send({ sid: 'c', init: true, status: 'ok' }, { sid: 'd', init: true, status: 'abnormal' })
  t.same(messages(), [
    ...['Sessions: 1 started, 1 crashed', 'Sessions: 1 started, 1 crashed'],
    ...['Sessions: 1 started', 'Sessions: 1 started, 1 ended abnormally'],
  ])
})

t.test('counts every update without a session id', async t => {
  const { send, messages } = setUp(t)
  await send({ init: true, status: 'ok', started: secondsAgo(2) })
  await send({ init: true, status: 'ok', started: secondsAgo(1) })
  t.same(messages(), ['Sessions: 1 started', 'Sessions: 1 started'])
})
