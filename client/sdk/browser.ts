import type { BrowserReport } from '../../shared/browser-report.ts'
import { browserPath } from '../../shared/paths.ts'
import { describeError } from './browser-error.ts'
import { watchVitals } from './browser-vitals.ts'

export type WatchOptions = {
  /** Where Sixpane is: `https://sixpane.example`. It has to know the page's origin, by `SIXPANE_BROWSER_ORIGINS`. */
  url: string
  /** What the application is called in the log. */
  service: string
  release?: string
  /** Share of the page loads whose Web Vitals are sent, 0 to 1; all by default. Exceptions are always sent. */
  sample?: number
  /** Gives the route template of the current page (`/orders/:id`), where the path alone is too fine to count by. */
  route?: () => string
}

/** Different exceptions of one page that are sent: more tell nothing new, and a loop that throws must not flood. */
const maxErrors = 10

let isWatching = false

/**
 * Sends uncaught exceptions, unhandled rejections and Web Vitals of this page to Sixpane. Call it once, before
 * other code runs. It never throws into the page, and does nothing where there is none (on a server).
 */
export function watch({ url, service, release, sample = 1, route }: WatchOptions): void {
  if (isWatching || typeof document === 'undefined') return
  isWatching = true
  const sent = new Set<string>()

  const page = () => ({ service, release, path: location.pathname, route: route?.() })
  const send = (report: BrowserReport) => {
    const body = JSON.stringify(report)
    const target = url.replace(/\/$/, '') + browserPath
    // Text needs no preflight, for which a page that is being left has no time.
    if (!navigator.sendBeacon?.(target, body)) {
      fetch(target, { method: 'POST', body, keepalive: true }).catch(() => {})
    }
  }
  const tell = (trigger: 'error' | 'unhandledrejection', thrown: unknown, place?: string) => {
    ignoringErrors(() => {
      const error = { trigger, ...describeError(thrown, place) }
      const key = error.type + error.message + error.stack
      if (sent.size < maxErrors && !sent.has(key)) {
        sent.add(key)
        send({ ...page(), error })
      }
    })
  }

  addEventListener('error', ({ error, message, filename, lineno, colno }) =>
    tell('error', error ?? { message }, filename && `${filename}:${lineno}:${colno}`),
  )
  addEventListener('unhandledrejection', ({ reason }) => tell('unhandledrejection', reason))
  ignoringErrors(() => {
    if (Math.random() >= sample) return
    const landed = page()
    watchVitals(vitals => send({ ...landed, vitals }))
  })
}

/** What goes wrong here is not the page's to suffer from, and telling of it would go wrong as well. */
function ignoringErrors(work: () => void): void {
  try {
    work()
  } catch {}
}
