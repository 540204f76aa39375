/** Least severe first. */
export const severities = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type Severity = (typeof severities)[number]

/** Creates an object with a count of 0 for each severity. */
export function zeroCounts(): Record<Severity, number> {
  return { trace: 0, debug: 0, info: 0, warn: 0, error: 0, fatal: 0 }
}

/**
 * The lowest of OpenTelemetry's four numbers for each severity
 * (https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber).
 */
const firstOtelNumber: Readonly<Record<Severity, number>> = {
  trace: 1,
  debug: 5,
  info: 9,
  warn: 13,
  error: 17,
  fatal: 21,
}

/** Converts an OpenTelemetry severity number (1 to 24). Returns `null` for any other number. */
export function severityOfOtelNumber(number: number): Severity | null {
  const step = (severity: Severity) => number - firstOtelNumber[severity]
  return severities.find(severity => step(severity) >= 0 && step(severity) < 4) ?? null
}

/** Whether events of this severity report a failure. True for error and fatal. */
export function isFailureSeverity(severity: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf('error')
}

/** The level names of loggers, in lower case. */
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
  // zap
  dpanic: 'fatal',
} as const satisfies Readonly<Record<string, Severity>>

/** The level letters of Android's logcat, glog, klog and Python loggers, in lower case. */
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
