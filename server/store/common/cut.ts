/** Maximum length of a row's text, in characters (Unicode code points). */
export const maxRowLength = 500

/** Truncates a row's text at a character boundary, so no surrogate pair is split. */
export function cut(value: string): string {
  // A character has at most two code units, so only the start of the text needs to be split into characters.
  return value.length > maxRowLength
    ? [...value.slice(0, 2 * maxRowLength)].slice(0, maxRowLength).join('')
    : value
}
