const quote = 0x22
const dot = 0x2e
const backslash = 0x5c
/** The number of digits in the shortest integers that `JSON.parse` may round. */
const unsafeDigits = 16

/**
 * Whether JSON text may contain an integer that `JSON.parse` would round. Runs for every line. For speed, it looks only at
 * every 16th character and its neighbours: a number with 16 or more digits contains at least one of these characters.
 */
export function mayRoundIntegers(json: string): boolean {
  for (let at = unsafeDigits - 1; at < json.length; at += unsafeDigits) {
    if (!isDigit(json.charCodeAt(at))) continue
    let first = at
    while (isDigit(json.charCodeAt(first - 1))) first -= 1
    while (isDigit(json.charCodeAt(at + 1))) at += 1
    if (at - first + 1 < unsafeDigits) continue
    // Quoted ids and decimal places are common, and are not integers.
    const before = json.charCodeAt(first - 1)
    if (before !== quote && before !== dot) return true
  }
  return false
}

/** Adds quotes to the integers in JSON text that `JSON.parse` would round. */
export function quoteUnsafeIntegers(json: string): string {
  const token = /"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi
  let quoted = ''
  let copied = 0
  for (let match = token.exec(json); match !== null; match = token.exec(json)) {
    const [text] = match
    if (text === '"') token.lastIndex = endOfString(json, match.index) + 1
    else if (/^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text))) {
      quoted += `${json.slice(copied, match.index)}"${text}"`
      copied = token.lastIndex
    }
  }
  return quoted + json.slice(copied)
}

/** Returns the index of the quote that ends the string starting at `start`, or the length of the text. */
export function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}

/** Whether a character code is a digit. `NaN`, which `charCodeAt` returns outside the text, is not. */
function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
