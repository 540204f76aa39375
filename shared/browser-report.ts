import type { VitalName } from './vitals.ts'

/** A report from a visitor's browser about one page: an exception or Web Vitals. */
export type BrowserReport = {
  service: string
  release?: string | undefined
  /** Path of the page, without the query string. */
  path: string
  /** The route template, if the application provides it. */
  route?: string | undefined
  error?: BrowserError | undefined
  vitals?: BrowserVital[] | undefined
}

export type BrowserError = {
  /** The window event that caught the exception. */
  trigger: 'error' | 'unhandledrejection'
  type: string
  message: string
  /** The stack in the browser's format, including causes; empty if there is none. */
  stack: string
  /** The digest of the error, which the visitor saw. */
  digest?: string | undefined
  /** Debug ids of the files in the stack, by URL. */
  debugIds?: Record<string, string> | undefined
}

/** A metric from https://web.dev/articles/vitals: in milliseconds, except CLS, which is a score. */
export type BrowserVital = {
  name: VitalName
  value: number
  rating: 'good' | 'needs-improvement' | 'poor'
  navigationType: 'navigate' | 'reload' | 'back-forward' | 'back-forward-cache' | 'prerender' | 'restore'
}
