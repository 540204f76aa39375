/**
 * `sixpane/nuxt`: reports failures on the server with an id that the visitor sees. In `server/plugins/sixpane.js`:
 *
 *   import { reportTo } from 'sixpane/nuxt'
 *   export default reportTo({ url: 'http://127.0.0.1:3000', service: 'shop' })
 *
 * https://nitro.build/guide/plugins#capturing-errors
 */
import { newDigest } from './reporter/digest.ts'
import { createReporter, type ReportOptions } from './reporter/reporter.ts'
import { startRequestContext } from './request-context.ts'

export type { ReportOptions as Options }

// The parts of the types of Nitro 2 and h3 1 that we use: https://github.com/h3js/h3/blob/v1/src/error.ts
type Listener = (error: Error, context: { event?: Event }) => Promise<void> | undefined
type NitroApp = { hooks: { hook(name: 'error', listener: Listener): unknown } }
type Event = { method: string; path: string; headers: Headers; context: { matchedRoute?: { path?: string } } }
/** The fields of this error appear on Nuxt's error page and in the JSON responses of API routes. */
type H3Error = Error & { statusCode: number; statusMessage?: string; unhandled?: boolean; data?: unknown }

/**
 * Creates a Nitro plugin that reports and prints failures of pages, API routes and middleware. The message and the data of an
 * unexpected error are replaced with a digest, which Nuxt shows to the visitor; an error page can show `error.data.digest`.
 * Errors with a status below 500 are not failures. Also gives all log lines of a request the same trace id.
 */
export function reportTo(options: ReportOptions = {}): (nitroApp: NitroApp) => void {
  startRequestContext()
  const report = createReporter('nuxt', options)
  /** The errors already reported. Nitro calls the hook again for the same error when it renders the error page. */
  const reported = new WeakSet<object>()
  return nitroApp => {
    nitroApp.hooks.hook('error', (error, { event }) => {
      if (event === undefined || event.path.startsWith('/__nuxt_error')) return undefined
      if (!isH3Error(error) || error.statusCode < 500 || reported.has(error)) return undefined
      reported.add(error)
      const digest = newDigest()
      const thrown = originalError(error)
      // biome-ignore lint/suspicious/noConsole: Nitro prints only errors whose messages it hides from visitors
      console.error('Request failed', { digest }, thrown)
      const stored = report({
        error: thrown,
        method: event.method,
        path: event.path,
        headers: event.headers,
        route: event.context.matchedRoute?.path,
        status: error.statusCode,
        digest,
      })
      if (error.unhandled === true || thrown !== error) hideError(error, digest)
      else addData(error, digest)
      // Nitro responds without waiting for this promise, but passes it to the platform's `waitUntil`.
      return stored
    })
  }
}

/** Returns the error that h3 wrapped. h3 wraps errors that were not created with `createError`. */
function originalError(error: H3Error): unknown {
  const { cause } = error
  return cause instanceof Error && !isH3Error(cause) ? cause : error
}

/** Also replaces the data, which h3 copies from the original error: it may be the body of another service's response. */
function hideError(error: H3Error, digest: string): void {
  error.data = { digest }
  error.statusMessage = 'Internal Server Error'
  error.message = `Internal Server Error. Digest: ${digest}`
  // Otherwise, Nitro would hide the digest too.
  error.unhandled = false
}

/** Adds the digest unless the data is not an object or already contains one. */
function addData(error: H3Error, digest: string): void {
  const { data } = error
  if (data === undefined) error.data = { digest }
  else if (typeof data === 'object' && data !== null && !Array.isArray(data) && !('digest' in data))
    error.data = { ...data, digest }
}

/** Errors of HTTP clients have a `statusCode` too, so this checks the same property as h3. */
function isH3Error(error: Error): error is H3Error {
  return Reflect.get(error.constructor, '__h3_error__') === true
}
