/** Converts text to lower case as the engines do: İ becomes a single letter. JavaScript converts it to two characters. */
export function lowerCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase()
}
