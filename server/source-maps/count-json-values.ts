const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBracket = 0x5b
const openBrace = 0x7b

/**
 * Returns an upper bound on the number of values in a JSON text without parsing it, to limit the memory used for parsing.
 * Stops counting above `max`.
 */
export function countJsonValues(json: Uint8Array, max: number): number {
  let count = 1
  for (let at = 0; at < json.length && count <= max; at += 1) {
    const byte = json[at] ?? 0
    if (byte === quote) at = endOfString(json, at)
    else if (byte === comma || byte === openBracket || byte === openBrace) count += 1
  }
  return count
}

function endOfString(json: Uint8Array, start: number): number {
  let end = json.indexOf(quote, start + 1)
  while (end >= 0) {
    let escapes = 0
    while (json[end - 1 - escapes] === backslash) escapes += 1
    if (escapes % 2 === 0) return end
    end = json.indexOf(quote, end + 1)
  }
  return json.length
}
