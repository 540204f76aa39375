/** Splits a file path from a stack or an upload into its parts, and drops the scheme, host, query, `~/` and `.map`. */
export function pathParts(file: string): string[] {
  const path = file
    .replaceAll('\\', '/')
    .replace(/^(?:async )?[a-z][\w+.-]*:\/\/[^/]*/i, '')
    .split(/[?#]/, 1)[0]
    ?.replace(/\.map$/, '')
  return decodePath(path ?? '')
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..' && part !== '~')
    .map(part => (part === '_next' ? '.next' : part))
}

/** Returns the number of trailing parts that two paths share. */
export function commonSuffixLength(one: readonly string[], other: readonly string[]): number {
  let common = 0
  while (common < one.length && common < other.length && one.at(-1 - common) === other.at(-1 - common)) {
    common += 1
  }
  return common
}

/** Browsers encode paths: `…/orders/%5Bid%5D/page.js`. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
