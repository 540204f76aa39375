import { type Severity, severities } from '../../../../shared/severity.ts'

/**
 * The stored number of each severity. Never change a number, because stored events contain it; give a new severity an unused
 * number. The numbers do not define the order of severities.
 */
const storedNumbers: Readonly<Record<Severity, number>> = {
  trace: 0,
  debug: 1,
  info: 2,
  warn: 3,
  error: 4,
  fatal: 5,
}

const severityByNumber = new Map(severities.map(severity => [storedNumbers[severity], severity]))

export function storedSeverity(severity: Severity): number {
  return storedNumbers[severity]
}

/** @throws TypeError for an unknown number */
export function readSeverity(stored: number): Severity {
  const severity = severityByNumber.get(stored)
  if (severity === undefined)
    throw new TypeError('The store contains a severity that this version does not support')
  return severity
}
