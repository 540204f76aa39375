/** Leaves room for cookies and other headers within the server's limit of 64 KiB. */
const maxUrlLength = 48_000

/** Returns why the URL of a search cannot contain the text; empty if it can. */
export function lengthProblem(text: string): string {
  return `${new URLSearchParams({ q: text })}`.length > maxUrlLength
    ? 'This text is too long to search. Paste only the part with the digest.'
    : ''
}
