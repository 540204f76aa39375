/** The folders and the name of a file, as a stack or an upload names it: without scheme, host, query, `~/` and `.map`. */
export function partsOf(file: string): string[] {
  const path = file
    .replaceAll('\\', '/')
    .replace(/^(?:async )?[a-z][\w+.-]*:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/\.map$/, '')
  return decoded(path)
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..' && part !== '~')
    .map(part => (part === '_next' ? '.next' : part))
}

/** How many of the last parts two paths have in common. */
export function commonEnd(one: readonly string[], other: readonly string[]): number {
  let common = 0
  while (common < one.length && common < other.length && one.at(-1 - common) === other.at(-1 - common)) {
    common += 1
  }
  return common
}

/** `…/orders/%5Bid%5D/page.js`, as browsers write it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
