import Fastify from 'fastify'
import type { Test } from 'tap'
import type { Attributes, NewEvent } from '../../../shared/event.ts'
import { createClean } from '../../events/clean.ts'
import { createNormalise } from '../../events/normalise.ts'
import { fingerprint } from '../../grouping/fingerprint.ts'
import crossSite from '../../middleware/cross-site.ts'
import { readConfig } from '../../settings/config.ts'
import { fakeContext } from '../../testing/fake-context.ts'
import { stubPlugins } from '../../testing/stub-plugins.ts'
import type { Sender } from './sender.ts'
import sentry from './sentry.ts'

type Options = { accept?: () => Promise<void>; ingestLimitBytes?: number; ingestRequestsPerSecond?: number }

/** The origin of a connected web application. */
export const shopOrigin = 'https://shop.example'

/** A sender whose clock is correct, for an envelope without an event id. */
export const sender: Sender = { service: null, project: '1', clockOffsetMs: 0, eventId: null }

export const normalise = createNormalise(createClean([]), {
  fingerprint: (exception, fallback = { body: '', route: null }) => fingerprint(exception, fallback),
})

/** Starts only the Sentry endpoint. Returns the stored events and the idempotency keys of the requests. */
export async function startSentry(
  t: Test,
  { accept, ingestLimitBytes = 16_000_000, ingestRequestsPerSecond = 1_000_000 }: Options = {},
) {
  const stored: NewEvent[] = []
  const keys: (string | undefined)[] = []
  const ignored: Record<string, number> = {}
  let rejected = 0
  const fake = fakeContext()
  const context = fakeContext({
    config: {
      ...readConfig({ SIXPANE_BROWSER_ORIGINS: shopOrigin }),
      ingestLimitBytes,
      ingestRequestsPerSecond,
    },
    normalise,
    events: {
      ...fake.events,
      accept: async (events, _sizeBytes, requestKey) => {
        await accept?.()
        stored.push(...events)
        keys.push(requestKey)
      },
      countRejected: count => {
        rejected += count
      },
      countIgnored: (kind, count) => {
        ignored[kind] = (ignored[kind] ?? 0) + count
      },
    },
  })
  const app = Fastify()
  stubPlugins(app, ['headers', 'authentication'])
  await app.register(crossSite, { context })
  await app.register(sentry, { context })
  t.teardown(() => app.close())

  const post = async (
    payload: string | Buffer,
    { url = '/api/1/envelope/', headers = {} }: { url?: string; headers?: Record<string, string> } = {},
  ) => {
    const response = await app.inject({
      method: 'POST',
      url,
      payload,
      headers: { host: 'localhost', 'content-type': 'text/plain;charset=UTF-8', ...headers },
    })
    return { status: response.statusCode, headers: response.headers, body: response.body }
  }
  return { app, stored, keys, ignored, rejected: () => rejected, post }
}

/** An item of an envelope: its header and its payload. */
export type Item = readonly [header: Attributes, payload: object | string]

/** Builds an envelope without lengths, like Sentry's JavaScript SDKs. */
export function envelopeOf(items: readonly Item[], header: Attributes = {}): string {
  const lines = items.flatMap(([itemHeader, payload]) => [
    JSON.stringify(itemHeader),
    typeof payload === 'string' ? payload : JSON.stringify(payload),
  ])
  return [JSON.stringify(header), ...lines].join('\n')
}

/** Returns an item of type `event`. */
export function eventItem(event: object): Item {
  return [{ type: 'event' }, event]
}

/** Returns an item that is a list of logs. */
export function logItem(...items: unknown[]): Item {
  return [listHeader('log', items.length), { items }]
}

/** Returns an item that is a list of spans. */
export function spanItem(...items: unknown[]): Item {
  return [listHeader('span', items.length), { items }]
}

function listHeader(type: string, count: number): Attributes {
  return { type, item_count: count, content_type: `application/vnd.sentry.items.${type}+json` }
}
