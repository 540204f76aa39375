import type { AsyncLocalStorage } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { isOpenTelemetryActive, openTelemetryIds } from './open-telemetry.ts'
import { pinoListeners } from './pino-request-ids.ts'
import type { RequestHeaders } from './reporter/record.ts'
import { contextOfRequest, type TraceContext, traceparentOf } from './traceparent.ts'

export type RequestIds = { traceId: string; spanId: string }

/** Shared by all copies of this module. Each export of the package and each bundle of an application has its own copy. */
const storageKey = Symbol.for('sixpane.requestContext')

/**
 * Gives each request of the process's HTTP servers a trace context, passes it on in outgoing requests, and adds its ids to
 * pino's lines. Does nothing outside Node.js, or if the request context has already been started. Returns a function
 * that stops it.
 */
export function startRequestContext(): () => void {
  // The edge runtime of Next.js defines `process.getBuiltinModule`, but calling it throws.
  if ('EdgeRuntime' in globalThis || currentStorage() !== null) return () => {}
  // Bundlers for the edge runtime reject imports of built-in modules.
  const { getBuiltinModule } = globalThis.process ?? {}
  const hooks = getBuiltinModule?.('node:async_hooks')
  const channels = getBuiltinModule?.('node:diagnostics_channel')
  if (hooks === undefined || channels === undefined) return () => {}

  const storage = new hooks.AsyncLocalStorage<RequestContext>()
  Reflect.set(globalThis, storageKey, storage)
  const listeners = Object.entries({
    'http.server.request.start': (message: object) => isIncoming(message) && enter(storage, message),
    'undici:request:create': (message: object) => isUndici(message) && addToUndici(storage, message.request),
    // Published only in Node.js 22.12 and later. Earlier versions publish nothing before the headers are sent.
    'http.client.request.created': (message: object) =>
      isOutgoing(message) && addToHttp(storage, message.request),
    ...pinoListeners(idsOfRequest),
  }).map(([channel, listener]) => ({ channel, listener: withoutErrors(listener) }))
  for (const { channel, listener } of listeners) channels.subscribe(channel, listener)
  return () => {
    for (const { channel, listener } of listeners) channels.unsubscribe(channel, listener)
    Reflect.deleteProperty(globalThis, storageKey)
  }
}

/** An error thrown in a listener would end the process. */
function withoutErrors(listener: (message: object) => unknown): (message: unknown) => void {
  return message => {
    try {
      if (typeof message === 'object' && message !== null) listener(message)
    } catch {
      // The request or log line continues without ids.
    }
  }
}

/**
 * Returns the ids of the current request, or an empty object outside requests. Can be used as a logger's `mixin`. If
 * OpenTelemetry has an active span, these are the ids of the span.
 */
export function requestIds(): RequestIds | Record<string, never> {
  return idsOfRequest() ?? {}
}

function idsOfRequest(): RequestIds | null {
  const ids = isOpenTelemetryActive() ? openTelemetryIds() : null
  if (ids !== null) return ids
  const context = currentStorage()?.getStore()
  return context === undefined ? null : { traceId: context.traceId, spanId: context.spanId }
}

function currentStorage(): AsyncLocalStorage<RequestContext> | null {
  return Reflect.get(globalThis, storageKey) ?? null
}

/** The request of a Node.js HTTP server, or the same properties of a Fetch request. */
type CurrentRequest = { method?: string | undefined; url?: string | undefined; headers: RequestHeaders }

/** The trace context of a request, its response in Node.js's HTTP server, and the digest of its failure. */
type RequestContext = TraceContext & { request: CurrentRequest; response?: ServerResponse; digest?: string }

/**
 * Runs a function in the context of a Fetch request. If the request already has a context from Node.js's HTTP server, this
 * context is kept. Other servers create none, and Node.js none for requests before `startRequestContext`.
 */
export function inRequest<Result>({ method, url, headers }: Request, run: () => Result): Result {
  const storage = currentStorage()
  if (storage === null || storage.getStore() !== undefined) return run()
  const request = { method, url: new URL(url).pathname, headers }
  return storage.run({ ...contextOfRequest(Object.fromEntries(headers)), request }, run)
}

/** Sends the digest of the current request's failure in a header, if possible, and remembers it for `sentDigest`. */
export function sendDigest(digest: string): void {
  const context = currentStorage()?.getStore()
  if (context === undefined || context.digest === digest) return
  context.digest = digest
  // https://www.w3.org/TR/server-timing/#the-server-timing-header-field
  const { response } = context
  if (response?.headersSent === false) response.appendHeader('server-timing', `digest;desc="${digest}"`)
}

/** Returns the digest passed to `sendDigest` in the current request, or `null`. */
export function sentDigest(): string | null {
  return currentStorage()?.getStore()?.digest ?? null
}

/** Returns the current request; `null` outside requests. */
export function currentRequest(): CurrentRequest | null {
  return currentStorage()?.getStore()?.request ?? null
}

type Incoming = { request: IncomingMessage; response: ServerResponse }

/** Starts the context of a request, before the server's `request` listeners run. */
function enter(storage: AsyncLocalStorage<RequestContext>, { request, response }: Incoming): void {
  const context = { ...contextOfRequest(request.headers), request, response }
  storage.enterWith(context)
  // Node.js emits some request events in the connection's context, which may be that of another request.
  for (const emitter of [request, response]) emitInContext(emitter, storage, context)
}

function emitInContext(
  emitter: EventEmitter,
  storage: AsyncLocalStorage<RequestContext>,
  context: RequestContext,
): void {
  const { emit } = emitter
  emitter.emit = (...args) => storage.run(context, () => Reflect.apply(emit, emitter, args))
}

type UndiciRequest = { headers: unknown; addHeader(name: string, value: string): unknown }

function addToUndici(storage: AsyncLocalStorage<RequestContext>, request: UndiciRequest): void {
  const context = storage.getStore()
  if (context === undefined || isOpenTelemetryActive() || hasTraceparent(request.headers)) return
  request.addHeader('traceparent', traceparentOf(context))
  if (context.tracestate !== null) request.addHeader('tracestate', context.tracestate)
}

/** `headers` is a list of alternating names and values, or a string before undici 6. */
function hasTraceparent(headers: unknown): boolean {
  if (!Array.isArray(headers)) return /^traceparent:/im.test(String(headers))
  return headers.some((name, index) => index % 2 === 0 && String(name).toLowerCase() === 'traceparent')
}

function addToHttp(storage: AsyncLocalStorage<RequestContext>, request: ClientRequest): void {
  const context = storage.getStore()
  if (context === undefined || isOpenTelemetryActive()) return
  if (request.headersSent || request.hasHeader('traceparent')) return
  request.setHeader('traceparent', traceparentOf(context))
  if (context.tracestate !== null) request.setHeader('tracestate', context.tracestate)
}

function isIncoming(message: object): message is Incoming {
  return hasMethod(message, 'request', 'emit') && hasMethod(message, 'response', 'emit')
}

function isUndici(message: object): message is { request: UndiciRequest } {
  return hasMethod(message, 'request', 'addHeader')
}

function isOutgoing(message: object): message is { request: ClientRequest } {
  return hasMethod(message, 'request', 'setHeader')
}

function hasMethod(message: object, name: string, method: string): boolean {
  const value: unknown = Reflect.get(message, name)
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function'
}
