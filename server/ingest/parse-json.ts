import type { Json } from '../../shared/event.ts'

/** JSON.parse takes seconds for millions of levels, and recursion over the result is limited to some thousands. */
export const maxJsonDepth = 1000

/** Parses JSON; `undefined` if it is invalid, too large for a string, or nested deeper than 1000 levels. */
export function parseJson(json: string | Buffer): Json | undefined {
  try {
    const text = typeof json === 'string' ? json : json.toString('utf8').replace(/^\ufeff/, '')
    return nestsDeeperThan(text, maxJsonDepth) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const quote = 0x22
const backslash = 0x5c

/** Whether JSON text nests deeper than this. */
export function nestsDeeperThan(json: string, levels: number): boolean {
  if (json.length <= levels) return false
  let depth = 0
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === quote) index = endOfString(json, index)
    // [ and { differ in one bit, and so do ] and }.
    else if ((code | 0x20) === 0x7b) {
      depth += 1
      if (depth > levels) return true
    } else if ((code | 0x20) === 0x7d) depth -= 1
  }
  return false
}

function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}
