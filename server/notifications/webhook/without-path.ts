/** Shorter parts of a URL are usually words, which also occur in other text. */
const minPartLength = 8
/** Shorter text at the end is not treated as the beginning of a part. */
const minBeginningLength = 4

/**
 * Removes the path and query of a URL from the beginning of a response, because they may be secret and many servers repeat
 * them in error messages. Also removes their long parts, because some servers repeat only the last one, and at the end of the
 * text, which may have been cut, the beginning of any of these.
 */
export function withoutPath(text: string, url: string): string {
  const { pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  const parts = [path, decode(path)].flatMap(each => [
    each,
    ...each.split(/[/?&=]/),
    ...each.split(/[^\p{L}\p{N}_-]+/u),
  ])
  const secrets = [pathname, search, ...parts.filter(({ length }) => length >= minPartLength)]
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length)
  const rest = secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
  const cut = Math.max(0, ...secrets.map(secret => beginningLength(rest, secret)))
  return cut === 0 ? rest : `${rest.slice(0, -cut)}…`
}

/** Returns the length of the longest beginning of a secret with which the text ends; 0 if it is short. */
function beginningLength(text: string, secret: string): number {
  let length = secret.length - 1
  while (length >= minBeginningLength && !text.endsWith(secret.slice(0, length))) length -= 1
  return length >= minBeginningLength ? length : 0
}

/** Decodes the escapes in a path. Returns an invalid path unchanged. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
