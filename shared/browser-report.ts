/** What the browser of a visitor tells of one page: an exception, or how the page felt. */
export type BrowserReport = {
  service: string
  release?: string | undefined
  /** Path of the page, without its query. */
  path: string
  /** The route template, where the application knows it. */
  route?: string | undefined
  error?: BrowserError | undefined
  vitals?: BrowserVital[] | undefined
}

export type BrowserError = {
  /** The event of the window by which it was caught. */
  trigger: 'error' | 'unhandledrejection'
  type: string
  message: string
  /** As the browser wrote it, with those of its causes; empty where there is none. */
  stack: string
  /** A digest that the error carries: what the visitor was shown. */
  digest?: string | undefined
  /** Debug ids of the files that the stack names, by their URLs. */
  debugIds?: Record<string, string> | undefined
}

/** A metric of https://web.dev/articles/vitals: milliseconds, and for CLS a score. */
export type BrowserVital = {
  name: 'LCP' | 'INP' | 'CLS' | 'TTFB'
  value: number
  rating: 'good' | 'needs-improvement' | 'poor'
  navigationType: 'navigate' | 'reload' | 'back-forward' | 'back-forward-cache' | 'prerender' | 'restore'
}
