import type { Severity } from './event.ts'

/** The names of levels that loggers use, in lower case. */
export const severityWords = {
  trace: 'trace',
  verbose: 'trace',
  silly: 'trace',
  debug: 'debug',
  info: 'info',
  information: 'info',
  informational: 'info',
  notice: 'info',
  log: 'info',
  http: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  err: 'error',
  severe: 'error',
  fatal: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  alert: 'fatal',
  emergency: 'fatal',
  emerg: 'fatal',
  panic: 'fatal',
} as const satisfies Readonly<Record<string, Severity>>

/** The letters for levels in Android's logcat, glog, klog and Python loggers, in lower case. */
export const severityLetters = {
  t: 'trace',
  v: 'trace',
  d: 'debug',
  i: 'info',
  n: 'info',
  w: 'warn',
  e: 'error',
  f: 'fatal',
  c: 'fatal',
  // logcat's assertions
  a: 'fatal',
} as const satisfies Readonly<Record<string, Severity>>
