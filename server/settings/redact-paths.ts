export const maxRedactPaths = 100

/** Whether a string is a dotted path. Rejects wildcards from other tools (`user[*].email`): they would match nothing. */
export function isRedactPath(text: string): boolean {
  return text.length <= 200 && /^[^.,[\]*"'\p{Cc}]+(?:\.[^.,[\]*"'\p{Cc}]+)*$/u.test(text)
}
