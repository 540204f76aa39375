/**
 * `sixpane/react-router`: reports failures on the server with an id that the visitor sees. In `app/entry.server.jsx`:
 *
 *   import { reportTo } from 'sixpane/react-router'
 *   export const handleError = reportTo({ url: 'http://127.0.0.1:3000', service: 'shop' })
 *
 * https://reactrouter.com/how-to/error-reporting
 */
import { useSyncExternalStore } from 'react'
import { onReceivedDigest, receivedDigest } from './received-digest.ts'
import { newDigest } from './reporter/digest.ts'
import { createReporter, type ReportOptions } from './reporter/reporter.ts'
import { sendDigest, sentDigest, startRequestContext } from './request-context.ts'

export type { ReportOptions as Options }

/** The part of React Router's arguments that we use. Version 7 has no `pattern`, or names it `unstable_pattern`. */
type Args = { request: Request; pattern?: string; unstable_pattern?: string }

/**
 * Creates the `handleError` function of an application. It reports and prints failures, and sends a digest with the response
 * in a `Server-Timing` header, because React Router hides errors from the browser. `useFailureDigest` returns this digest.
 * Thrown responses, requests for pages or actions that do not exist, and requests that the browser aborted are not failures.
 * Also gives all log lines of a request the same trace id.
 */
export function reportTo(options: ReportOptions = {}): (error: unknown, args: Args) => void {
  startRequestContext()
  const report = createReporter('react-router', options)
  return (error, { request, pattern, unstable_pattern: route = pattern }) => {
    if (request.signal.aborted || isExpected(error)) return
    const thrown = originalError(error)
    // One request can have several failures, for example in parallel loaders. The visitor sees one digest.
    const digest = sentDigest() ?? newDigest()
    sendDigest(digest)
    // biome-ignore lint/suspicious/noConsole: React Router prints errors only if there is no `handleError`
    console.error('Request failed', { digest }, thrown)
    void report({
      error: thrown,
      method: request.method,
      path: pagePath(request.url),
      headers: request.headers,
      route,
      status: 500,
      digest,
    })
  }
}

/**
 * Returns the digest of an error from the server, to be shown in an `ErrorBoundary`; `null` for other errors. Works on the
 * server, during hydration and after navigation in the browser.
 * @param error from `useRouteError()` or the boundary's props
 */
export function useFailureDigest(error: unknown): string | null {
  const digest = useSyncExternalStore(onReceivedDigest, receivedDigest, receivedDigest)
  // React Router removes the stacks of errors from the server.
  return error instanceof Error && !error.stack ? digest : null
}

/** Returns the path of the page. After navigation in the browser, React Router requests `/cart.data` for `/cart`. */
function pagePath(url: string): string {
  return new URL(url).pathname.replace(/\/?(?:_root|_)?\.data$/, '') || '/'
}

/** Whether the application threw a response, or React Router rejected the request because of its path or method. */
function isExpected(error: unknown): boolean {
  if (error instanceof Response) return true
  return isErrorResponse(error) && (error.status < 500 || error.error === undefined)
}

/** Returns the error of an error response that React Router created. */
function originalError(error: unknown): unknown {
  return isErrorResponse(error) ? error.error : error
}

/** https://github.com/remix-run/react-router/blob/main/packages/react-router/lib/router/utils.ts */
function isErrorResponse(error: unknown): error is { status: number; error?: unknown } {
  if (typeof error !== 'object' || error === null || !('internal' in error)) return false
  return 'status' in error && typeof error.status === 'number'
}
