/**
 * `sixpane/next`: reports requests that failed on the server. In `instrumentation.ts`:
 *
 *   import { reportTo } from 'sixpane/next'
 *   export const onRequestError = reportTo({ url: 'http://127.0.0.1:3000', service: 'shop' })
 *
 * Works in the Node.js and edge runtimes, because it uses only `fetch`.
 * https://nextjs.org/docs/app/api-reference/file-conventions/instrumentation#onrequesterror-optional
 */
import { type FailedIn, type FailedRequest, recordOf } from './next-record.ts'
import { createNextSender } from './next-sender.ts'
import { requestIds, startRequestContext } from './request-context.ts'

export type { FailedIn, FailedRequest }

export type Options = {
  /** Sixpane's URL; default: `SIXPANE_URL` or `http://127.0.0.1:3000`. */
  url?: string
  /** A token from the settings screen, needed if Sixpane has a password; default: `SIXPANE_TOKEN`. */
  token?: string
  /** Sixpane's password, used instead of a token; default: `SIXPANE_PASSWORD`. */
  password?: string
  /** The name of the application; default: `OTEL_SERVICE_NAME` or `next`. */
  service?: string
  /** The release of the application; default: that of `withSixpane`, `NEXT_DEPLOYMENT_ID` or `VERCEL_GIT_COMMIT_SHA`. */
  release?: string
}

/**
 * Creates the `onRequestError` hook of an application. Its promise resolves when the failure is stored, or after one second,
 * because Next.js may delay the response until then. It never rejects. In Node.js, also gives all log lines of a request the
 * same trace id.
 */
export function reportTo(
  options: Options = {},
): (error: unknown, request: FailedRequest, context: FailedIn) => Promise<void> {
  startRequestContext()
  const { env } = process
  const send = createNextSender({
    url: options.url || env.SIXPANE_URL || 'http://127.0.0.1:3000',
    token: options.token || env.SIXPANE_TOKEN,
    password: options.password || env.SIXPANE_PASSWORD,
  })
  const writer = {
    service: options.service || env.OTEL_SERVICE_NAME || 'next',
    // Bundlers replace the whole expression with the release of the build.
    release:
      options.release || process.env.SIXPANE_RELEASE || env.NEXT_DEPLOYMENT_ID || env.VERCEL_GIT_COMMIT_SHA,
  }
  return async (error, request, context) => {
    try {
      await send(
        JSON.stringify({ ...writer, ...recordOf(error, request, context, Date.now()), ...requestIds() }),
      )
    } catch {
      // The thrown value may itself throw when it is read.
    }
  }
}

// The parts of the Next.js request that we use:
// https://nextjs.org/docs/app/api-reference/functions/next-request
type ProxiedRequest = Readonly<{ url: string; method: string; headers: Iterable<readonly [string, string]> }>

/**
 * Wraps the function in `proxy.ts`, because Next.js 16 does not call `onRequestError` for its failures:
 *
 *   export const proxy = reportProxy(async request => { … }, { service: 'shop' })
 *
 * The function's errors are reported and then thrown again.
 */
export function reportProxy<Request extends ProxiedRequest, More extends unknown[], Result>(
  proxy: (request: Request, ...more: More) => Result | Promise<Result>,
  options: Options = {},
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
