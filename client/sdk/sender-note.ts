/** What a writer says of itself in each line. */
const writerFields = [
  ...['service', 'name', 'service.name', 'serviceName', 'app', 'application', 'resource'],
  ...['release', 'version', 'service.version', 'serviceVersion', 'hostname', 'pid'],
]

/** A line that says how many others are missing, in the name of the writer of one of those. */
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
