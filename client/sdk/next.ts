/**
 * `sixpane/next`: what Next.js calls for each request that failed on the server. In `instrumentation.ts`:
 *
 *   import { reportTo } from 'sixpane/next'
 *   export const onRequestError = reportTo({ url: 'http://127.0.0.1:3000', service: 'shop' })
 *
 * For Node and for the edge runtime: nothing is used but `fetch`.
 * https://nextjs.org/docs/app/api-reference/file-conventions/instrumentation#onrequesterror-optional
 */
import { type FailedIn, type FailedRequest, recordOf } from './next-record.ts'
import { createNextSender } from './next-sender.ts'

export type { FailedIn, FailedRequest }

export type Options = {
  /** Where Sixpane is; `SIXPANE_URL` if left out, else `http://127.0.0.1:3000`. */
  url?: string
  /** Made on the settings of a Sixpane that has a password; `SIXPANE_TOKEN` if left out. */
  token?: string
  /** In place of a token; `SIXPANE_PASSWORD` if left out. */
  password?: string
  /** The name of the application; `OTEL_SERVICE_NAME` if left out, else `next`. */
  service?: string
  /** The version that runs; `NEXT_DEPLOYMENT_ID` or `VERCEL_GIT_COMMIT_SHA` if left out. */
  release?: string
}

/**
 * Gives the `onRequestError` of an application. What it returns resolves when the failure is kept, or after a second:
 * Next.js may wait for it before it answers. It never throws.
 */
export function reportTo(
  options: Options = {},
): (error: unknown, request: FailedRequest, context: FailedIn) => Promise<void> {
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
      await send(JSON.stringify({ ...writer, ...recordOf(error, request, context, Date.now()) }))
    } catch {
      // What was thrown may be anything, and fail again when it is looked at.
    }
  }
}
