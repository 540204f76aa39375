/** Quotes text for a POSIX shell, because the origin of a request and the names in events are untrusted. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
