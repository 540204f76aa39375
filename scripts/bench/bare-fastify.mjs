// @ts-check
/** Serves a page that is already rendered and compressed, to measure the upper bound for a Fastify server. */
import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'

const [file = ''] = process.argv.slice(2)
const body = await readFile(file)
const fastify = Fastify()
fastify.get('/dashboard', (_request, reply) =>
  reply.header('content-encoding', 'gzip').type('text/html; charset=utf-8').send(body),
)
console.log(await fastify.listen({ host: '127.0.0.1', port: 0 }))
