/** Longest text of a row, in characters. */
const rowLength = 500

/** The text of a row: cut by characters, so that no surrogate pair is split. */
export function cut(value: string): string {
  // A character takes at most two code units, so the rest need not be split into characters.
  return value.length > rowLength ? [...value.slice(0, 2 * rowLength)].slice(0, rowLength).join('') : value
}
