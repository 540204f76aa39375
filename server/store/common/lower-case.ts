/** Converts text as the engine does: it has a single lower-case letter for İ, where JavaScript has two characters. */
export function lowerCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase()
}
