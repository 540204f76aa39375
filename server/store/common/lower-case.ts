/** Converts text as the engine does. The engine converts İ to a single letter, JavaScript to two characters. */
export function lowerCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase()
}
