/**
 * `sixpane/sveltekit`: reports unexpected errors with an id that the visitor sees. In `src/hooks.server.js`:
 *
 *   import { reportTo } from 'sixpane/sveltekit'
 *   export const handleError = reportTo({ url: 'http://127.0.0.1:3000', service: 'shop' })
 *
 * https://svelte.dev/docs/kit/hooks#Shared-hooks-handleError
 */
import { digestOf, newDigest } from './reporter/digest.ts'
import type { RequestHeaders } from './reporter/record.ts'
import { createReporter, type ReportOptions } from './reporter/reporter.ts'
import { startRequestContext } from './request-context.ts'

export type { ReportOptions as Options }

// The subset of SvelteKit 2 and 3 types that we use.
type CaughtError = {
  error: unknown
  event: {
    request: { method: string; headers: RequestHeaders }
    url: { pathname: string }
    route: { id: string | null }
  }
  /** Only in SvelteKit 3: `app` (thrown with `error()`), `framework`, `validation` or `unknown`. */
  kind?: string
  /** Only in SvelteKit 2, which does not pass errors thrown with `error()` to the hook. */
  status?: number
  message?: string
}
/** The `App.Error` that the error page shows. */
export type VisibleError = { message: string; digest: string }

/**
 * Creates the `handleError` hook of an application. It reports and prints unexpected errors, and adds a digest to the message
 * that the visitor sees. An error page can also show `page.error.digest`. Expected errors, such as pages that do not exist,
 * are not reported. Also gives all log lines of a request the same trace id.
 */
export function reportTo(options: ReportOptions = {}): (caught: CaughtError) => VisibleError | undefined {
  startRequestContext()
  const report = createReporter('sveltekit', options)
  // SvelteKit 2 and 3 wait for a promise only in some cases, so the report is sent in the background.
  return caught => {
    if (isExpected(caught)) return undefined
    const { error, event, message = 'Internal Error' } = caught
    const digest = digestOf(error) ?? newDigest()
    // biome-ignore lint/suspicious/noConsole: SvelteKit prints errors only if there is no hook
    console.error('Request failed', { digest }, error)
    void report({
      error,
      method: event.request.method,
      path: event.url.pathname,
      headers: event.request.headers,
      route: event.route.id ?? undefined,
      status: 500,
      digest,
    })
    return { message: `${message}. Digest: ${digest}`, digest }
  }
}

function isExpected({ kind, status = 500 }: CaughtError): boolean {
  return kind === undefined ? status < 500 : kind !== 'unknown'
}
