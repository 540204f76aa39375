import { type Severity, severities } from '../../../../shared/event.ts'

/**
 * The number that is stored for each severity. Events on disk have these numbers: never change one, and give a new
 * severity a number that is not used yet. The numbers say nothing about the order of severities.
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

/** @throws TypeError for a number that no severity of this version has */
export function readSeverity(stored: number): Severity {
  const severity = severityByNumber.get(stored)
  if (severity === undefined)
    throw new TypeError('The store contains a severity that this version does not know')
  return severity
}
