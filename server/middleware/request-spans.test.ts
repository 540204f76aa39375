import { EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import Fastify from 'fastify'
import t from 'tap'
import { paths } from '../../shared/paths.ts'
import requestSpans from './request-spans.ts'

t.test('the span of a request ends once, even if the client disconnects', async t => {
  const events = new EventEmitter()
  const ended: (number | null)[] = []
  const fastify = Fastify({ forceCloseConnections: true })
  await fastify.register(requestSpans, {
    context: {
      tracing: {
        span: (_name, work) => work(),
        startRequest: () => ({
          run: work => work(),
          end(status) {
            ended.push(status)
            events.emit('ended')
          },
        }),
        fetch,
        stop: async () => {},
      },
    },
  })
  fastify.get(paths.find(), async (_request, reply) => reply.code(201).send('done'))
  fastify.get(paths.complete(), () => {
    events.emit('started')
    return new Promise(() => {})
  })
  t.teardown(() => fastify.close())
  const origin = await fastify.listen({ host: '127.0.0.1', port: 0 })
  const waitFor = (name: string) => once(events, name, { signal: AbortSignal.timeout(10_000) })

  const completed = waitFor('ended')
  await (await fetch(origin + paths.find())).text()
  await completed
  t.same(ended, [201])

  const started = waitFor('started')
  const client = request(origin + paths.complete()).end()
  client.on('error', () => {})
  await started
  const aborted = waitFor('ended')
  client.destroy()
  await aborted
  t.same(ended, [201, null])
})
