import fc from 'fast-check'

/** The number of surrogates and the first one. Surrogates are code points but not characters. */
const surrogates = { count: 0x800, first: 0xd800 }

/**
 * Any Unicode character: `fc.string({ unit: anyCharacter })` generates the same values as `fc.string({ unit: 'binary' })`,
 * but the latter spends almost a second in each process listing all characters.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - surrogates.count)
  .map(toCharacter, fromCharacter)

function toCharacter(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count)
}

/** Lets fast-check shrink strings that contain words with a special meaning in JavaScript, such as `__proto__`. */
function fromCharacter(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined
  const isSurrogate = point !== undefined && point >= surrogates.first && point < 0xe000
  if (point === undefined || isSurrogate || String.fromCodePoint(point) !== character)
    throw new TypeError('Not a character')
  return point < surrogates.first ? point : point - surrogates.count
}
