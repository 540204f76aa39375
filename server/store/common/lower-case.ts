/** Converts text to lower case like the engine, which converts İ to a single letter. JavaScript returns two characters. */
export function lowerCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase()
}
