import Fastify from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Test } from 'tap'
import type { NewEvent } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { readConfig } from '../../config.ts'
import { createClean } from '../../events/clean.ts'
import { createNormalise } from '../../events/normalise.ts'
import { fakeContext } from '../../screens/testing.ts'
import otlp from './otlp.ts'

type Options = { accept?: () => Promise<void>; ingestLimitBytes?: number }

/** The way in alone; `kept` are the events that it handed on, and `keys` what it called the requests. */
export async function startOtlp(t: Test, { accept, ingestLimitBytes = 16_000_000 }: Options = {}) {
  const kept: NewEvent[] = []
  const keys: (string | undefined)[] = []
  let refused = 0
  const fake = fakeContext()
  const context = fakeContext({
    config: { ...readConfig({}), ingestLimitBytes },
    normalise: createNormalise(createClean([]), fake.failures),
    events: {
      ...fake.events,
      accept: async (events, _sizeBytes, requestKey) => {
        await accept?.()
        kept.push(...events)
        keys.push(requestKey)
      },
      refuse: count => {
        refused += count
      },
    },
  })
  const app = Fastify()
  for (const name of ['headers', 'cross-site']) app.register(fastifyPlugin(async () => {}, { name }))
  app.register(otlp, { context })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())

  const post = async (path: string, payload: string | Buffer, headers: Record<string, string> = {}) => {
    const type = typeof payload === 'string' ? 'application/json' : 'application/x-protobuf'
    const answer = await app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { 'content-type': type, ...headers },
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload }
  }
  return {
    origin: app.listeningOrigin,
    kept,
    keys,
    refused: () => refused,
    postLogs: post.bind(null, paths.otlpLogs()),
    postTraces: post.bind(null, paths.otlpTraces()),
  }
}
