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
  /** The release of the application; default: `NEXT_DEPLOYMENT_ID` or `VERCEL_GIT_COMMIT_SHA`. */
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
    release: options.release || env.NEXT_DEPLOYMENT_ID || env.VERCEL_GIT_COMMIT_SHA,
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
