import type { BrowserError, BrowserReport, ErrorTrigger } from '../../shared/browser-report.ts'
import { browserPath } from '../../shared/paths.ts'
import { describeError, type ErrorInfo } from './browser-error.ts'
import { watchVitals } from './browser-vitals.ts'

export type WatchOptions = {
  /**
   * Sixpane's URL, such as `https://sixpane.example`. Sixpane's `SIXPANE_BROWSER_ORIGINS` must include the page's
   * origin.
   */
  url: string
  /** The name of the application, shown in the log. */
  service: string
  /**
   * The release of the application. In builds prepared by `sixpane/next/config`, `sixpane/nuxt/config` or `sixpane/vite`,
   * pass `process.env.SIXPANE_RELEASE`.
   */
  release?: string | undefined
  /** The fraction of page loads that send Web Vitals, from 0 to 1; default 1. Exceptions are always sent. */
  sample?: number | undefined
  /** Returns the route template of the current page (`/orders/:id`), to group pages whose paths contain ids. */
  route?: (() => string) | undefined
}

/** For each sent error, its key and its object (or an empty object, if React recovered from the error). */
const sent = new Set<unknown>()
/** Errors that were reported before `watch` was called. */
const waiting: BrowserError[] = []
let isWatching = false
let send = (error: BrowserError): unknown => waiting.push(error)

/**
 * Sends uncaught exceptions, unhandled rejections and Web Vitals of this page to Sixpane. Call it once, before other code
 * runs. It never throws, and does nothing on a server.
 */
export function watch({ url, service, release, sample = 1, route }: WatchOptions): void {
  if (isWatching || isServer()) return
  isWatching = true
  const page = () => ({
    service,
    // Sixpane rejects an empty string and `null`, which an application may pass if it does not know the release or route.
    release: release || undefined,
    path: location.pathname,
    route: (route && ignoringErrors(route)) || undefined,
  })
  const post = (data: BrowserReport) => {
    const body = JSON.stringify(data)
    const target = url.replace(/\/$/, '') + browserPath
    // A plain-text body avoids a preflight request, which could not complete while the page closes.
    if (!navigator.sendBeacon?.(target, body)) {
      // The quota of 64 KiB for beacons is used up. Requests with `keepalive` share this quota.
      fetch(target, { method: 'POST', body }).catch(() => {})
    }
  }

  send = error => post({ ...page(), error })
  ignoringErrors(() => waiting.forEach(send))
  addEventListener('error', ({ error, message, filename, lineno, colno }) =>
    add('error', error ?? { message }, {}, filename && `${filename}:${lineno}:${colno}`),
  )
  addEventListener('unhandledrejection', ({ reason }) => add('unhandledrejection', reason))

  ignoringErrors(() => {
    if (Math.random() >= sample) return
    const initialPage = page()
    watchVitals(vitals => ignoringErrors(() => post({ ...initialPage, vitals })))
  })
}

/**
 * Sends an error that an error boundary or a `catch` block caught. Each error is sent once, even if it is also thrown
 * elsewhere and not caught. Errors that are reported before `watch` is called are sent by that call. Never throws, and
 * does nothing on a server.
 * @param info the second parameter of React's `componentDidCatch`
 */
export function report(error: unknown, info?: ErrorInfo): void {
  add('report', error, info)
}

/**
 * Prints and sends an error that an error boundary caught. For the `onCaughtError` option of React's `createRoot` and
 * `hydrateRoot`.
 */
export function onCaughtError(error: unknown, info: ErrorInfo): void {
  printAndAdd('onCaughtError', error, info)
}

/** Prints and sends an error that no error boundary caught. For React's `onUncaughtError` option. */
export function onUncaughtError(error: unknown, info: ErrorInfo): void {
  printAndAdd('onUncaughtError', error, info)
}

/**
 * Prints and sends an error that React recovered from, such as failed hydration. Sixpane stores it as a warning. If React
 * later fails to recover from the same error, the error is sent again. For React's `onRecoverableError` option.
 */
export function onRecoverableError(error: unknown, info: ErrorInfo): void {
  printAndAdd('onRecoverableError', error, info)
}

/** Prints and sends an error that a handler above received. React itself prints errors only if no handler is set. */
function printAndAdd(trigger: ErrorTrigger, error: unknown, info: ErrorInfo): void {
  // biome-ignore lint/suspicious/noConsole: React's own handlers print the error
  console.error(error)
  add(trigger, error, info)
}

function add(trigger: ErrorTrigger, thrown: unknown, info?: ErrorInfo, position?: string): void {
  /** Limits the number of different exceptions per page load, in case errors are thrown in a loop. */
  const maxErrors = 10
  ignoringErrors(() => {
    const error = { trigger, ...describeError(thrown, position, info) }
    const isRecoverable = trigger === 'onRecoverableError'
    // Without `isRecoverable`, the warning would prevent reporting the same error when React does not recover from it.
    const key = `${isRecoverable}${error.type}${error.message}${error.stack}`
    // `Object` wraps a primitive value in a new object each time, so only the key can show that the value was sent before.
    const object = Object(thrown)
    if (isServer() || sent.size >= 2 * maxErrors || sent.has(key) || sent.has(object)) return
    sent.add(key).add(isRecoverable ? {} : object)
    send(error)
  })
}

function isServer(): boolean {
  return typeof document === 'undefined'
}

/** Errors in this code must not affect the page. Reporting them would probably fail too. */
function ignoringErrors<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
