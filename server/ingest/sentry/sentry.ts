import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Attributes, NewEvent } from '../../../shared/event.ts'
import { sentryPaths } from '../../../shared/paths.ts'
import type { Normalise } from '../../events/normalise.ts'
import { groupRedactedReport } from '../../failures/redacted-report.ts'
import { HttpError } from '../../http/http-error.ts'
import { readBody } from '../../http/read-body.ts'
import { acceptConnectedPages } from '../connected-pages.ts'
import { defineIngestEndpoint } from '../ingest-endpoint.ts'
import { isOwnName } from '../own-name.ts'
import { requestKeyOf } from '../request-key.ts'
import { readEnvelopeStart } from './envelope.ts'
import { text } from './json-fields.ts'
import { readSentryItems, readStoredEvent, type SentryItem } from './read-items.ts'
import { clockOffset, serviceInDsn } from './sender.ts'

const parameters = Type.Object({
  service: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  project: Type.String({ pattern: '^\\d{1,20}$' }),
})

/**
 * `POST …/envelope/` and the older `POST …/store/`: events, logs, spans and sessions from Sentry's SDKs
 * (https://develop.sentry.dev/sdk/foundations/transport/). docs/sentry.md lists what is stored.
 */
export default defineIngestEndpoint<SentryItem>({
  name: 'ingest-sentry',
  paths: sentryPaths.ingest(),
  pages: 'dsn',
  async prepare(scope, { config }) {
    scope.addHook('onSend', async (_request, reply) => addRateLimits(reply))
    await acceptConnectedPages(scope, {
      config,
      paths: sentryPaths.ingest(),
      access: { role: 'member', scope: 'ingest', pages: 'dsn' },
      allowedHeaders: 'content-type, content-encoding, x-sentry-auth, sentry-trace, baggage',
      exposedHeaders: 'retry-after, x-sentry-rate-limits',
    })
  },
  async decode(request, { normalise, nowMs, ...limits }) {
    const target = targetOf(request)
    const body = await readBody(request, limits)
    const start = target.isSingleEvent ? null : readEnvelopeStart(body)
    const service = target.service ?? serviceInDsn(text(start?.header.dsn))
    // An SDK may send the same event to two services.
    const keyPart = `sentry ${target.project} ${service ?? ''}`
    let areItemsUnique = true
    let itemCount = 0
    let lastSessionKey: string | null = null
    const shared = {
      itemName: 'items',
      sizeBytes: body.length,
      *toEvents({ records, isUnique, sessionKey }: SentryItem) {
        areItemsUnique &&= isUnique
        itemCount += 1
        lastSessionKey = sessionKey
        for (const record of records) yield eventOf(record, normalise, nowMs)
      },
      ignoredIn: ({ ignored }: SentryItem) => ignored,
    }
    if (start === null) {
      return {
        ...shared,
        items: readStoredEvent(body, { ...target, clockOffsetMs: 0, eventId: null }),
        requestKey: () => (areItemsUnique ? requestKeyOf(keyPart, body) : undefined),
      }
    }
    const { header, itemsStart } = start
    const sender = {
      ...target,
      service,
      clockOffsetMs: clockOffset(text(header.sent_at), nowMs),
      eventId: text(header.event_id),
    }
    return {
      ...shared,
      items: readSentryItems(body, itemsStart, sender),
      requestKey: () =>
        itemCount === 1 && lastSessionKey !== null
          ? requestKeyOf(keyPart, lastSessionKey)
          : // When SDKs send an envelope again, they change the time in its header.
            requestKeyOf(keyPart, areItemsUnique ? body.subarray(itemsStart) : body),
    }
  },
  success({ events, rejected, errors: [first], ignored }) {
    if (first !== undefined && events.length + ignored.length === 0) {
      throw new HttpError(400, `Nothing was stored. Item ${first.line}: ${first.reason}`)
    }
    const id = events.map(({ attributes }) => attributes.event_id).find(id => typeof id === 'string')
    return { ...(id === undefined ? {} : { id }), ...(rejected > 0 ? { rejected } : {}) }
  },
  failure: ({ message }, _request, reply) => reply.send({ detail: message }),
})

/** @throws HttpError 400 if the project is not a number, or the service is too long */
function targetOf({ params, routeOptions }: FastifyRequest) {
  if (!Value.Check(parameters, params)) {
    throw new HttpError(
      400,
      'The DSN must end with a number, such as /1. Its service may have up to 100 characters.',
    )
  }
  const { service = null, project } = params
  return { service, project, isSingleEvent: routeOptions.url?.endsWith('/store/') ?? false }
}

/**
 * Groups a redacted report with the server failure that it reports, as if `sixpane/browser` had sent it: see
 * `groupRedactedReport`. If an event has no digest, its id is used instead, which does not identify a server failure. Its
 * message may still contain one.
 */
function eventOf(record: Attributes, normalise: Normalise, nowMs: number): NewEvent {
  const event = normalise(record, 'sentry', nowMs)
  // If the service is not a valid name, `normalise` uses another attribute.
  if (isOwnName(event.service)) event.service = 'unknown'
  const sent = event.digest === event.attributes.event_id ? { ...event, digest: null } : event
  const grouped = groupRedactedReport(sent)
  return grouped === sent ? event : { ...grouped, source: 'browser' }
}

/** Tells SDKs how long to wait (https://develop.sentry.dev/sdk/foundations/transport/rate-limiting/). */
function addRateLimits(reply: FastifyReply): void {
  if (reply.statusCode !== 429 && reply.statusCode !== 503) return
  const retryAfter = reply.getHeader('retry-after') ?? 60
  reply.header('retry-after', retryAfter).header('x-sentry-rate-limits', `${retryAfter}::organization`)
}
