const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\0': '\\0' }

/** Formats a value as an SQL literal of the type that it would have as a parameter. */
export function literal(value: string | number | boolean): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean') return String(value)
  return `CAST(${quoted(String(value))}, '${numberType(value)}')`
}

/** The type of a number in a statement. */
export function numberType(value: number): 'Int64' | 'Float64' {
  return Number.isSafeInteger(value) ? 'Int64' : 'Float64'
}

/** Within quotation marks, only the characters in `escapes` have a special meaning. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\'\0]/g, character => escapes[character] ?? character)}'`
}
