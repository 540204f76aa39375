export const maxRedactPaths = 100

/** Whether a text is names joined by dots. Other tools' `user[*].email` would match nothing, so it is rejected. */
export function isRedactPath(text: string): boolean {
  return text.length <= 200 && /^[^.,[\]*"'\p{Cc}]+(?:\.[^.,[\]*"'\p{Cc}]+)*$/u.test(text)
}
