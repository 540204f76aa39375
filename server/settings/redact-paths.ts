export const maxRedactPaths = 100

/** Whether a string is a dotted path. Rejects other tools' wildcards (`user[*].email`), which would match nothing. */
export function isRedactPath(text: string): boolean {
  return text.length <= 200 && /^[^.,[\]*"'\p{Cc}]+(?:\.[^.,[\]*"'\p{Cc}]+)*$/u.test(text)
}
