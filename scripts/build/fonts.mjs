// @ts-check
import { readFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

/** English and western European text, and the symbols that the screens use. Other writing systems use the system's fonts. */
const characters = [
  ...between(0x20, 0x7e),
  ...between(0xa0, 0xff),
  ...between(0x2010, 0x2027),
  ...'‰‹›€™←↑→↓−',
].join('')

/** Kerning, and figures of equal width. Without ligatures, a log shows `!=` and `->` as they were written. */
const keepFeatures = ['kern', 'mark', 'tnum', 'ccmp', 'locl']

/** Copyright, licence and licence URL. The Open Font License requires them in each copy. */
const preserveNameIds = [0, 13, 14]

/** @type {Map<string, Promise<Uint8Array>>} */
const subsets = new Map()

/**
 * An esbuild plugin that reduces each WOFF2 font to the characters and weights that the screens use. Reads each font once per
 * process.
 * @type {import('esbuild').Plugin}
 */
export const fontSubsets = {
  name: 'font-subsets',
  setup(build) {
    build.onLoad({ filter: /\.woff2$/ }, async ({ path }) => {
      const subset = subsets.get(path) ?? fontSubset(path, 'woff2')
      subsets.set(path, subset)
      return { contents: await subset, loader: 'file' }
    })
  },
}

/**
 * Returns a subset of a font's characters, weights and features, with the font's licence.
 * @param {string} path
 * @param {'woff2' | 'sfnt'} targetFormat
 */
export async function fontSubset(path, targetFormat) {
  return subsetFont(await readFile(path), characters, {
    targetFormat,
    variationAxes: { wght: { min: 400, max: 600 } },
    keepFeatures,
    preserveNameIds,
  })
}

/** @param {number} first @param {number} last @returns {string[]} */
function between(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}
