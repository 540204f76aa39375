/**
 * `sixpane/astro`: reports failures of pages and endpoints that are rendered on demand, with an id that the visitor sees. In
 * `src/middleware.js`:
 *
 *   import { reportTo } from 'sixpane/astro'
 *   export const onRequest = reportTo({ url: 'http://127.0.0.1:3000', service: 'shop' })
 *
 * https://docs.astro.build/en/guides/middleware/
 */
import { digestOf, newDigest } from './reporter/digest.ts'
import { escapeHtml } from './reporter/escape-html.ts'
import { createReporter, type ReportOptions } from './reporter/reporter.ts'
import { startRequestContext } from './request-context.ts'

export type { ReportOptions as Options }

/** The part of Astro's `APIContext` that we use. */
type Context = { request: Request; url: URL; routePattern: string; isPrerendered: boolean }
type Next = () => Promise<Response>

/**
 * Creates middleware that reports and prints failures, and gives all log lines of a request the same trace id. The page
 * `src/pages/500.astro` can show the digest, which is in `Astro.props.error.digest`. If a page fails after its first part
 * was sent, the digest is added at the end. To combine this middleware with others, pass it as the first argument of
 * `sequence`.
 */
export function reportTo(options: ReportOptions = {}): (context: Context, next: Next) => Promise<Response> {
  const report = createContextReporter(options)
  return async (context, next) => {
    // If a prerendered page fails, so does the build.
    if (context.isPrerendered) return next()
    try {
      return endingWithDigest(await next(), error => {
        // biome-ignore lint/suspicious/noConsole: Astro prints errors only if the page has not been sent
        console.error(error)
        return report(error, context)
      })
    } catch (error) {
      throw withDigest(error, await report(error, context))
    }
  }
}

/**
 * The types of action errors that the visitor may see:
 * https://docs.astro.build/en/reference/modules/astro-actions/#actionerror
 */
const expectedTypes: readonly unknown[] = ['AstroActionError', 'AstroActionInputError']

/**
 * Wraps the handler of an action, because Astro catches its errors and sends their messages to the visitor:
 *
 *   order: defineAction({ handler: reportAction(async input => { … }, { service: 'shop' }) })
 *
 * An `ActionError` is rethrown. Other errors are reported and printed, and the visitor gets only their digest.
 */
export function reportAction<Input, ActionContext extends Pick<Context, 'request' | 'url'>, Result>(
  handler: (input: Input, context: ActionContext) => Result | Promise<Result>,
  options: ReportOptions = {},
): (input: Input, context: ActionContext) => Promise<Result> {
  const report = createContextReporter(options)
  return async (input, context) => {
    try {
      return await handler(input, context)
    } catch (error) {
      if (isExpected(error)) throw error
      // biome-ignore lint/suspicious/noConsole: Astro does not print the errors of actions
      console.error(error)
      throw new Error(`Internal Server Error. Digest: ${await report(error, context)}`)
    }
  }
}

function isExpected(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'type' in error && expectedTypes.includes(error.type)
}

/** Creates a function that prints a failure's digest, and returns it when the failure is stored, or after one second. */
function createContextReporter(options: ReportOptions) {
  startRequestContext()
  const report = createReporter('astro', options)
  return async (
    error: unknown,
    { request, url, routePattern }: Pick<Context, 'request' | 'url'> & { routePattern?: string },
  ): Promise<string> => {
    const digest = digestOf(error) ?? newDigest()
    // biome-ignore lint/suspicious/noConsole: the log also needs the digest
    console.error('Request failed', { digest })
    const { method, headers } = request
    await report({ error, method, path: url.pathname, headers, route: routePattern, status: 500, digest })
    return digest
  }
}

/** Returns the error with the digest, for the error page. Wraps values that cannot have properties. */
function withDigest(error: unknown, digest: string): unknown {
  if (typeof error === 'object' && error !== null && Reflect.set(error, 'digest', digest)) return error
  return Object.assign(new Error('Request failed', { cause: error }), { digest })
}

/**
 * If a page fails while streaming, reports the failure and ends the page with the digest. Does not abort the response,
 * because browsers would then not show the digest.
 */
function endingWithDigest(response: Response, report: (error: unknown) => Promise<string>): Response {
  if (response.body === null || !response.headers.get('content-type')?.startsWith('text/html'))
    return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await reader.read().catch(async error => {
        const digest = escapeHtml(await report(error))
        controller.enqueue(new TextEncoder().encode(`<p>Digest: ${digest}</p>`))
        return { value: undefined }
      })
      if (value === undefined) controller.close()
      else controller.enqueue(value)
    },
    cancel: reason => reader.cancel(reason),
  })
  return new Response(body, response)
}
