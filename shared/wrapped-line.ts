const decoder = new TextDecoder()

/**
 * Returns the program's line and the name of its field, if a log collector wrapped the line: `log` (Docker, Fluent Bit) or
 * `MESSAGE` (journald).
 */
export function wrappedLineOf(record: object): { name: string; text: string } | undefined {
  if ('msg' in record || 'message' in record) return undefined
  const log: unknown = Reflect.get(record, 'log')
  if (typeof log === 'string') return { name: 'log', text: log }
  const message: unknown = Reflect.get(record, 'MESSAGE')
  if (typeof message === 'string') return { name: 'MESSAGE', text: message }
  // journald writes text with control characters, such as colours, as a list of bytes.
  return isBytes(message) ? { name: 'MESSAGE', text: decoder.decode(Uint8Array.from(message)) } : undefined
}

function isBytes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(byte => Number.isInteger(byte) && byte >= 0 && byte <= 255)
}
