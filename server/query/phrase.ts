/** Whether text that starts with a double quote also ends with the closing quote. */
export function isClosedPhrase(text: string): boolean {
  return /^"(?:\\[\s\S]|[^"\\])*"$/.test(text)
}
