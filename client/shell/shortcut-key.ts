/**
 * Returns the key of an event. For keyboards without Latin letters, returns the letter at the same position on a US keyboard.
 */
export function shortcutKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? []
  return letter === undefined || /^[\x20-\x7e]/.test(key) ? key : letter.toLowerCase()
}
