import type { BrowserReport } from '../../shared/browser-report.ts'
import { browserPath } from '../../shared/paths.ts'
import { describeError } from './browser-error.ts'
import { watchVitals } from './browser-vitals.ts'
import { builtRelease } from './built-release.ts'

export type WatchOptions = {
  /**
   * Sixpane's URL, such as `https://sixpane.example`. Sixpane's `SIXPANE_BROWSER_ORIGINS` must include the page's
   * origin.
   */
  url: string
  /** The name of the application, shown in the log. */
  service: string
  /** Default: the release of `withSixpane`. */
  release?: string
  /** The fraction of page loads that send Web Vitals, from 0 to 1; default 1. Exceptions are always sent. */
  sample?: number
  /** Returns the route template of the current page (`/orders/:id`), to group pages whose paths contain ids. */
  route?: () => string
}

/** Maximum number of different exceptions per page load, in case a loop throws. */
const maxErrors = 10

let isWatching = false

/**
 * Sends uncaught exceptions, unhandled rejections and Web Vitals of this page to Sixpane. Call it once, before other code
 * runs. It never throws, and does nothing on a server.
 */
export function watch({ url, service, release = builtRelease(), sample = 1, route }: WatchOptions): void {
  if (isWatching || typeof document === 'undefined') return
  isWatching = true
  const sent = new Set<string>()

  const page = () => ({ service, release, path: location.pathname, route: route?.() })
  const send = (data: BrowserReport) => {
    const body = JSON.stringify(data)
    const target = url.replace(/\/$/, '') + browserPath
    // A plain-text body avoids a preflight request, which could not complete while the page closes.
    if (!navigator.sendBeacon?.(target, body)) {
      fetch(target, { method: 'POST', body, keepalive: true }).catch(() => {})
    }
  }
  const report = (trigger: 'error' | 'unhandledrejection', thrown: unknown, position?: string) => {
    ignoringErrors(() => {
      const error = { trigger, ...describeError(thrown, position) }
      const key = error.type + error.message + error.stack
      if (sent.size < maxErrors && !sent.has(key)) {
        sent.add(key)
        send({ ...page(), error })
      }
    })
  }

  addEventListener('error', ({ error, message, filename, lineno, colno }) =>
    report('error', error ?? { message }, filename && `${filename}:${lineno}:${colno}`),
  )
  addEventListener('unhandledrejection', ({ reason }) => report('unhandledrejection', reason))
  ignoringErrors(() => {
    if (Math.random() >= sample) return
    const initialPage = page()
    watchVitals(vitals => send({ ...initialPage, vitals }))
  })
}

/** Errors in this code must not affect the page. Reporting them would also fail. */
function ignoringErrors(work: () => void): void {
  try {
    work()
  } catch {}
}
