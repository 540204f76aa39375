/** Maximum length of a row's text, in characters. */
const maxRowLength = 500

/** The text of a row: cut by characters, so that no surrogate pair is split. */
export function cut(value: string): string {
  // A character takes at most two code units, so the rest need not be split into characters.
  return value.length > maxRowLength
    ? [...value.slice(0, 2 * maxRowLength)].slice(0, maxRowLength).join('')
    : value
}
