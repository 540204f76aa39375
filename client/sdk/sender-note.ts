import { releaseNames, serviceNames } from '../../shared/field-names.ts'

/** The fields that identify the service of a line. */
const serviceFields = [...serviceNames, ...releaseNames, 'resource', 'hostname', 'pid']

/** Creates a warning about dropped lines, with the service fields of `line`, one of the dropped lines. */
export function droppedNote(count: number, line: string, nowMs: number): string {
  const fields = fieldsOf(line)
  const service = serviceFields.filter(name => Object.hasOwn(fields, name)).map(name => [name, fields[name]])
  return JSON.stringify({
    level: 'warn',
    time: nowMs,
    ...Object.fromEntries(service),
    msg: `${count === 1 ? '1 line was' : `${count} lines were`} dropped before being stored`,
    droppedLines: count,
  })
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
