const shortEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const escapes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|([\s\S]))/g

/**
 * Unescapes the text between double quotes in logfmt and in Loki's labels. Both use Go's escapes
 * (https://go.dev/ref/spec#String_literals). JSON's escapes are accepted, too. Leaves unknown escapes unchanged.
 */
export function unescapeGo(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(escapes, (whole: string, ...groups: (string | undefined)[]) => {
    const [two, four, eight, octal, other = ''] = groups
    const hex = two ?? four ?? eight
    if (hex !== undefined || octal !== undefined) {
      const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    }
    if (Object.hasOwn(shortEscapes, other)) return shortEscapes[other] ?? whole
    return /[\\"'/]/.test(other) ? other : whole
  })
}
