/** The fields in which log collectors store a program's line: `log` (Docker, Fluent Bit) and `MESSAGE` (journald). */
const lineNames = ['log', 'MESSAGE']

/** Returns the name of the field that contains the program's line, if a log collector wrapped the line. */
export function wrappedLineName(record: object): string | undefined {
  if ('msg' in record || 'message' in record) return undefined
  return lineNames.find(name => typeof Reflect.get(record, name) === 'string')
}
