import { Readable } from 'node:stream'
import { fastify } from 'fastify'
import sixpane from 'sixpane/fastify'

// The build replaces `process.env.SIXPANE_RELEASE`.
const transport = {
  target: 'sixpane/pino',
  options: { service: 'shop', release: process.env.SIXPANE_RELEASE },
}
const app = fastify({ logger: { transport } })
await app.register(sixpane)

app.get('/', async () => 'ready')
app.get('/route', async () => {
  throw new Error('failed in route')
})

const onRequest = async () => {
  throw new Error('failed in hook')
}
app.get('/hook', { onRequest }, async () => 'never sent')

app.register(async scope => {
  scope.get('/plugin', (_request, _reply) => {
    throw new Error('failed in plugin')
  })
})

const total = { type: 'object', properties: { total: { type: 'number' } } }
app.get('/reply', { schema: { response: { 200: total } } }, async () => ({
  get total() {
    throw new Error('failed in reply')
  },
}))

app.get('/stream', async () => Readable.from(parts()))
async function* parts() {
  yield* []
  throw new Error('failed in stream')
}

app.get('/later', async (_request, reply) => {
  reply.type('text/html')
  return Readable.from(laterParts())
})
async function* laterParts() {
  yield '<p>first part</p>'
  await new Promise(resolve => setTimeout(resolve, 100))
  throw new Error('failed in later')
}

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
