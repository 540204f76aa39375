/**
 * `sixpane/express`: error-handling middleware that reports each failure with an id that the visitor sees. Add it after
 * all routes:
 *
 *   import sixpane from 'sixpane/express'
 *   app.use(sixpane({ url: 'http://127.0.0.1:3000', service: 'shop' }))
 *
 * https://expressjs.com/en/guide/error-handling.html
 */

import { STATUS_CODES } from 'node:http'
import { errorCode } from '../../shared/error-code.ts'
import { digestOf, newDigest } from './reporter/digest.ts'
import { escapeHtml } from './reporter/escape-html.ts'
import { createReporter, type ReportOptions } from './reporter/reporter.ts'
import { headersOf, statusOf } from './reporter/status.ts'
import { startRequestContext } from './request-context.ts'

export type { ReportOptions as Options }

// The parts of the Express 4 and 5 types that we use: https://expressjs.com/en/5x/api.html

type Request = {
  method: string
  originalUrl: string
  baseUrl: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The route that matched last. */
  route?: { path?: unknown } | undefined
}
type Response = {
  statusCode: number
  headersSent: boolean
  /** Whether the connection is closed. */
  destroyed: boolean
  /** Variables for the templates that render the response. */
  locals: Record<string, unknown>
  status(status: number): unknown
  set(headers: object): unknown
  removeHeader(name: string): void
  type(type: string): unknown
  format(bodies: Record<string, () => void>): unknown
  send(body: string): unknown
}
type Next = (error?: unknown) => void
type ErrorMiddleware = (error: unknown, request: Request, response: Response, next: Next) => void

/**
 * Creates middleware that reports and prints each failure, and sends the visitor only the status and the digest, as JSON,
 * HTML or plain text. The next error handler gets client errors (4xx, aborted requests), and failures after the headers were
 * sent. The middleware also gives all log lines of a request the same trace id.
 */
export default function sixpane(options: ReportOptions = {}): ErrorMiddleware {
  const report = createMiddlewareReporter(options)
  // Express recognises error handlers by their four parameters.
  return (error, request, response, next) => {
    const digest = report(error, request, response)
    if (digest === null || response.headersSent) {
      next(error)
      return
    }
    // biome-ignore lint/suspicious/noConsole: Express prints only errors that its default handler handles
    console.error('Request failed', { digest }, error)
    sendDigest(response, statusOf(error, response.statusCode), digest, headersOf(error))
  }
}

/**
 * Creates middleware that only reports failures, for an application with its own error page: the error handler that follows
 * gets the same error, and its template can show `digest` (`res.locals.digest`).
 */
export function reportTo(options: ReportOptions = {}): ErrorMiddleware {
  const report = createMiddlewareReporter(options)
  return (error, request, response, next) => {
    const digest = report(error, request, response)
    if (digest !== null) response.locals.digest = digest
    next(error)
  }
}

/** Creates a function that reports a failure and returns its digest. Returns `null` for errors that clients caused. */
function createMiddlewareReporter(options: ReportOptions) {
  startRequestContext()
  const report = createReporter('express', options)
  return (error: unknown, request: Request, { statusCode, destroyed }: Response): string | null => {
    const status = statusOf(error, statusCode)
    if (status < 500 || (destroyed && isAbort(error))) return null
    const { method, originalUrl: path, headers } = request
    const digest = digestOf(error) ?? newDigest()
    void report({ error, method, path, headers, route: routeOf(request), status, digest })
    return digest
  }
}

/** Whether the error is one that `pipeline` or an `AbortSignal` causes when the visitor closes the connection. */
function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'AbortError' || errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE'
}

function sendDigest(response: Response, statusCode: number, digest: string, headers: object): void {
  const error = STATUS_CODES[statusCode] ?? 'Internal Server Error'
  // Express also removes these headers, because they describe a body that was not sent:
  // https://github.com/pillarjs/finalhandler/blob/master/index.js
  for (const name of ['Content-Encoding', 'Content-Language', 'Content-Range']) response.removeHeader(name)
  response.status(statusCode)
  response.set(headers)
  const sendJson = () => void response.send(JSON.stringify({ statusCode, error, digest }))
  response.format({
    json: sendJson,
    html: () =>
      void response.send(
        `<!DOCTYPE html><html lang="en"><title>${error}</title><h1>${error}</h1><p>Digest: ${escapeHtml(digest)}</p></html>`,
      ),
    text: () => void response.send(`${error}\nDigest: ${digest}\n`),
    default: () => {
      response.type('json')
      sendJson()
    },
  })
}

/** Matches route paths in which each segment matches exactly one URL segment. */
const plainPath = /^[\w/:.~-]*$/

/**
 * Returns the route's template. If the error comes from a router, Express has already reset `baseUrl`, so the path of the
 * router is taken from the URL.
 */
function routeOf({ baseUrl, originalUrl, route }: Request): string | undefined {
  if (typeof route?.path !== 'string') return undefined
  if (baseUrl !== '' || !plainPath.test(route.path)) return baseUrl + route.path
  const parts = partsOf(route.path)
  const all = partsOf(originalUrl.replace(/[?#].*$/s, ''))
  return `/${[...all.slice(0, Math.max(0, all.length - parts.length)), ...parts].join('/')}`
}

function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '')
}
