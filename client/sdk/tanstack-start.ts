/**
 * `sixpane/tanstack-start`: reports failures on the server with an id that the visitor sees. In `src/start.js`:
 *
 *   import { reportTo } from 'sixpane/tanstack-start'
 *   const { onRequest, onServerFunction } = reportTo({ url: 'http://127.0.0.1:3000', service: 'shop' })
 *   export const startInstance = createStart(() => ({
 *     requestMiddleware: [
 *       createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' }),
 *       createMiddleware().server(onRequest),
 *     ],
 *     functionMiddleware: [createMiddleware({ type: 'function' }).server(onServerFunction)],
 *   }))
 *
 * TanStack Start adds `createCsrfMiddleware`, which rejects cross-site requests, only to applications without
 * `src/start.js`. In `src/router.js`, call `reportLoaders(router)` before `getRouter` returns the router.
 *
 * https://tanstack.com/start/latest/docs/framework/react/guide/middleware
 */
import { newDigest } from './reporter/digest.ts'
import { createReporter, type ReportOptions } from './reporter/reporter.ts'
import { statusOf } from './reporter/status.ts'
import { currentRequest, inRequest, startRequestContext } from './request-context.ts'

export type { ReportOptions as Options }

// The subset of TanStack Start types that we use.
type FunctionArgs<Result> = { next: () => Result | Promise<Result> }
type RequestArgs<Result> = FunctionArgs<Result> & { request: Request; handlerType: 'router' | 'serverFn' }
type Route = { id: string; options: { onError?: (error: unknown) => void } }
type Router = { routesById: Readonly<Record<string, unknown>> }

/** The error that the visitor gets instead of the original one. TanStack Start sends only its message to the browser. */
class ReportedError extends Error {
  override name = 'ReportedError'
  readonly digest: string
  constructor(digest: string) {
    super(`Internal Server Error. Digest: ${digest}`)
    this.digest = digest
    // The stack would show where the error was reported, not where it was thrown.
    this.stack = `${this.name}: ${this.message}`
  }
}

/** Reports an error unless it is expected or already reported. Returns the error that the visitor may see. */
type Report = (error: unknown, route?: string) => unknown

/** The key of the global `Report` function, which the bundles of an application share. */
const reportKey = Symbol.for('sixpane.tanstack-start')

/**
 * Creates the middleware of an application. It reports and prints failures of server functions, server routes and other
 * middleware. The browser gets a digest instead of the error message. Redirects, pages that do not exist, errors with a status
 * from 400 to 499, and requests that the visitor aborted are not failures. Also gives all log lines of a request the same
 * trace id.
 */
export function reportTo(options: ReportOptions = {}) {
  startRequestContext()
  const send = createReporter('tanstack-start', options)
  /** For each request with a failure, a promise that resolves when the last one is stored, or after one second. */
  const sending = new WeakMap<object, Promise<void>>()
  const report: Report = (error, route) => {
    if (isExpected(error) || error instanceof ReportedError) return error
    const digest = newDigest()
    const request = currentRequest()
    const { method, url: path, headers } = request ?? {}
    // biome-ignore lint/suspicious/noConsole: TanStack Start prints only the replacement error, not the original one
    console.error('Request failed', { digest }, error)
    const sent = send({ error, method, path, headers, route, status: 500, digest })
    if (request !== null) sending.set(request, sent)
    return new ReportedError(digest)
  }
  Reflect.set(globalThis, reportKey, report)
  // TanStack Start uses the status of these errors, but not that of errors from loaders.
  const reportServerError = (error: unknown) => (statusOf(error, 500) < 500 ? error : report(error))
  const onServerFunction = async <Result>({ next }: FunctionArgs<Result>): Promise<Result> => {
    try {
      return await next()
    } catch (error) {
      throw reportServerError(error)
    }
  }
  const respond = async <Result>(args: RequestArgs<Result>): Promise<Result | Response> => {
    try {
      return await args.next()
    } catch (thrown) {
      if (args.request.signal.aborted) throw thrown
      const error = reportServerError(thrown)
      // A server function's error is thrown again in the browser. Other requests would get an empty response.
      if (args.handlerType === 'serverFn' || !(error instanceof ReportedError)) throw error
      return new Response(error.message, { status: 500 })
    } finally {
      // Serverless platforms may stop all work after the response. Loaders and server functions fail during `next`.
      await sending.get(Object(currentRequest()))
    }
  }
  const onRequest = <Result>(args: RequestArgs<Result>): Promise<Result | Response> =>
    inRequest(args.request, () => respond(args))
  return { onRequest, onServerFunction }
}

/** The routes that report loader failures. Every request creates a router, but all routers share the routes. */
const reporting = new WeakSet<object>()

/**
 * Makes the routes of a router report loader failures on the server. Does nothing in the browser.
 * @returns the router
 */
export function reportLoaders<AnyRouter extends Router>(router: AnyRouter): AnyRouter {
  if (typeof document !== 'undefined') return router
  for (const route of Object.values(router.routesById)) {
    if (!isRoute(route) || reporting.has(route)) continue
    reporting.add(route)
    const { onError } = route.options
    route.options.onError = error => {
      onError?.(error)
      const report: Report | undefined = Reflect.get(globalThis, reportKey)
      // The router shows the error that this function throws.
      if (report !== undefined) throw report(error, route.id)
    }
  }
  return router
}

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'options' in value && 'id' in value
}

/** Whether an error is a redirect, another thrown response, a page that does not exist, or invalid input. */
function isExpected(error: unknown): boolean {
  if (error instanceof Response) return true
  if (typeof error !== 'object' || error === null) return false
  return 'isNotFound' in error || (error instanceof Error && isInvalidInput(error))
}

/** The router's errors for search and path parameters. They have no property that identifies them. */
const parameterErrors: readonly string[] = ['SearchParamError', 'PathParamError']

/** If a server function gets invalid input, the error's message is a JSON array of the issues: https://standardschema.dev */
function isInvalidInput(error: Error): boolean {
  const { message } = error
  if (parameterErrors.includes(error.constructor.name)) return true
  if (!message.startsWith('[')) return false
  try {
    const issues: unknown = JSON.parse(message)
    return Array.isArray(issues) && issues.length > 0 && issues.every(issue => 'message' in Object(issue))
  } catch {
    return false
  }
}
