const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBracket = 0x5b
const openBrace = 0x7b

/**
 * How many values a JSON text holds, at most: what it takes in memory once it is parsed goes by that, and by its
 * length. Ends early above `most`.
 */
export function jsonWeight(json: Uint8Array, most: number): number {
  let weight = 1
  for (let at = 0; at < json.length && weight <= most; at += 1) {
    const byte = json[at] ?? 0
    if (byte === quote) at = endOfString(json, at)
    else if (byte === comma || byte === openBracket || byte === openBrace) weight += 1
  }
  return weight
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
