import { releaseNames, serviceNames } from '../../shared/field-names.ts'

/** The fields by which a line names its writer. */
const writerFields = [...serviceNames, ...releaseNames, 'resource', 'hostname', 'pid']

/** A warning that this many lines were dropped, in the name of the writer of one of them. */
export function droppedNote(count: number, line: string, nowMs: number): string {
  const fields = fieldsOf(line)
  const writer = writerFields.filter(name => Object.hasOwn(fields, name)).map(name => [name, fields[name]])
  return JSON.stringify({
    level: 'warn',
    time: nowMs,
    ...Object.fromEntries(writer),
    msg: `${count === 1 ? '1 line was' : `${count} lines were`} dropped: not sent to Sixpane in time`,
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
