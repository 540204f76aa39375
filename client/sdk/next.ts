/**
 * `sixpane/next`: reports requests that failed on the server. In `instrumentation.ts`:
 *
 *   import { reportTo } from 'sixpane/next'
 *   export const onRequestError = reportTo({ url: 'http://127.0.0.1:3000', service: 'shop' })
 *
 * Works in the Node.js and edge runtimes, because it requires only `fetch`.
 * https://nextjs.org/docs/app/api-reference/file-conventions/instrumentation#onrequesterror-optional
 */
import { withPrintedStack } from './printed-stack.ts'
import { createReporter, type ReportOptions } from './reporter/reporter.ts'
import { startRequestContext } from './request-context.ts'

export type { ReportOptions as Options }

// The parts of the Next.js 15 and 16 types that we use:
// https://github.com/vercel/next.js/blob/canary/packages/next/src/server/instrumentation/types.ts

/** The request that failed. */
export type FailedRequest = Readonly<{
  path: string
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}>

/** The route that failed. */
export type FailedIn = Readonly<{
  routerKind: string
  /** The path of the route's file: `/blog/[slug]`. */
  routePath: string
  /** `render`, `route`, `action`, `middleware`, `proxy` */
  routeType: string
  renderSource?: string | undefined
  revalidateReason?: string | undefined
}>

/**
 * Creates the `onRequestError` hook of an application. Its promise resolves when the failure is stored, or after one second,
 * because Next.js may delay the response until then. It never rejects. In Node.js, also gives all log lines of a request the
 * same trace id.
 */
export function reportTo(
  options: ReportOptions = {},
): (error: unknown, request: FailedRequest, context: FailedIn) => Promise<void> {
  startRequestContext()
  const report = createReporter('next', options)
  return (error, { path, method, headers }, context) =>
    report({
      error: withPrintedStack(error),
      method,
      path,
      headers,
      route: context.routePath,
      attributes: {
        'next.routerKind': context.routerKind,
        'next.routeType': context.routeType,
        'next.renderSource': context.renderSource,
        'next.revalidateReason': context.revalidateReason,
      },
    })
}

// The parts of the Next.js request that we use:
// https://nextjs.org/docs/app/api-reference/functions/next-request
type ProxiedRequest = Readonly<{ url: string; method: string; headers: Iterable<readonly [string, string]> }>

/**
 * Wraps the function in `proxy.ts`, because Next.js 16 does not call `onRequestError` for its failures:
 *
 *   export const proxy = reportProxy(async request => { … }, { service: 'shop' })
 *
 * The function's errors are reported and then rethrown.
 */
export function reportProxy<Request extends ProxiedRequest, More extends unknown[], Result>(
  proxy: (request: Request, ...more: More) => Result | Promise<Result>,
  options: ReportOptions = {},
): (request: Request, ...more: More) => Promise<Result> {
  const report = reportTo(options)
  return async (request, ...more) => {
    try {
      return await proxy(request, ...more)
    } catch (error) {
      await report(error, failedRequest(request), {
        routerKind: 'App Router',
        routePath: '/proxy',
        routeType: 'proxy',
      })
      throw error
    }
  }
}

function failedRequest({ url, method, headers }: ProxiedRequest): FailedRequest {
  return { path: new URL(url).pathname, method, headers: Object.fromEntries(headers) }
}
