import type { VitalName } from './vitals.ts'

/** A report from a visitor's browser about one page: an exception or Web Vitals. */
export type BrowserReport = {
  service: string
  release?: string | undefined
  /** The path of the page, without the query string. */
  path: string
  /** The route template, if the application provides it. */
  route?: string | undefined
  error?: BrowserError | undefined
  vitals?: BrowserVital[] | undefined
}

/** How the exception was reported: by a window event, by a `report` call, or by an option of a React root. */
export const errorTriggers = [
  'error',
  'unhandledrejection',
  'report',
  'onCaughtError',
  'onUncaughtError',
  'onRecoverableError',
] as const
export type ErrorTrigger = (typeof errorTriggers)[number]

export type BrowserError = {
  trigger: ErrorTrigger
  type: string
  message: string
  /** The stack in the browser's format, including causes; empty if the exception has none. */
  stack: string
  /** The digest that the visitor saw. */
  digest?: string | undefined
  /** Debug ids of the files in the stack, by URL. */
  debugIds?: Record<string, string> | undefined
  /** The React components around the one that failed, innermost first. */
  componentStack?: string | undefined
}

/** A metric from https://web.dev/articles/vitals. CLS is a score; all others are in milliseconds. */
export type BrowserVital = {
  name: VitalName
  value: number
  rating: 'good' | 'needs-improvement' | 'poor'
  navigationType: 'navigate' | 'reload' | 'back-forward' | 'back-forward-cache' | 'prerender' | 'restore'
}
