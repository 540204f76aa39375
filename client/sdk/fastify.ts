/**
 * `sixpane/fastify`: a Fastify plugin that gives all log lines of a request the same trace id, and each failure an id that
 * the visitor sees and the log contains.
 *
 *   import sixpane from 'sixpane/fastify'
 *   await app.register(sixpane)
 */
import { STATUS_CODES } from 'node:http'
import { digestOf, newDigest } from './reporter/digest.ts'
import { headersOf, statusOf } from './reporter/status.ts'
import { startRequestContext } from './request-context.ts'

// The parts of the Fastify 5 types that we use, so that the package does not depend on Fastify.

type Request = {
  log: { error(fields: object, message: string): void }
  routeOptions: { url?: string | undefined }
}
type Reply = {
  statusCode: number
  code(status: number): unknown
  headers(headers: object): unknown
  type(contentType: string): unknown
  send(payload: unknown): unknown
}
type Instance = {
  errorHandler: { name: string }
  // Method syntax, so that Fastify's overloads are assignable.
  setErrorHandler(handler: (error: unknown, request: Request, reply: Reply) => void): unknown
}

/**
 * Starts the request context. If the application has not set an error handler, adds one that logs each failure once, with the
 * error's digest or a random one, and sends the visitor only the status and the digest.
 */
async function sixpane(app: Instance): Promise<void> {
  startRequestContext()
  // Fastify's default handler can be recognised only by its name. The name of an application's handler is `bound …`.
  if (app.errorHandler.name === 'defaultErrorHandler') app.setErrorHandler(sendDigest)
}

/** With `skip-override`, Fastify applies the plugin to the whole application: https://github.com/fastify/fastify-plugin */
export default Object.assign(sixpane, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'sixpane',
})

function sendDigest(error: unknown, request: Request, reply: Reply): void {
  const statusCode = statusOf(error, reply.statusCode)
  // Fastify's default handler responds to client errors, which are not failures of the application.
  if (statusCode < 500) {
    reply.send(error)
    return
  }
  reply.code(statusCode)
  const digest = digestOf(error) ?? newDigest()
  const message = messageOf(error) ?? 'Request failed'
  // Failures without a stack are grouped by route.
  const route = request.routeOptions.url
  logFailure(request.log, error, { req: request, res: reply, route, digest }, message)
  reply.headers(headersOf(error))
  // Sends text, because a response schema of the route would remove the digest from an object.
  reply.type('application/json; charset=utf-8')
  reply.send(
    JSON.stringify({ statusCode, error: STATUS_CODES[statusCode] ?? 'Internal Server Error', digest }),
  )
}

/**
 * Logs a failure. If pino throws because the error is frozen or cannot be read, logs an object derived from the error. If
 * that also fails, logs the failure without the error. Otherwise, Fastify would send pino's error to the visitor.
 */
function logFailure(log: Request['log'], error: unknown, fields: object, message: string): void {
  const forms = [() => error, () => Object.create(Object(error)), () => undefined]
  for (const form of forms) {
    try {
      log.error({ ...fields, err: form() }, message)
      return
    } catch {}
  }
}

function messageOf(error: unknown): string | null {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return hasMessage && typeof error.message === 'string' && error.message !== '' ? error.message : null
}
