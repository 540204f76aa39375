import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build, type OutputFile } from 'esbuild'
import type { Frame } from '../../shared/stack.ts'
import { locateFile } from '../stacks/file-location.ts'
import { framesWithCauses } from '../stacks/stack.ts'

/** Returns the frames of a stack that needs no source maps. */
export async function framesIn(stack: string): Promise<Frame[]> {
  return framesWithCauses(stack).map(({ frame: { functionName, file, line, column }, cause }) => {
    return { functionName, ...locateFile(file), line, column, cause, code: null, unmapped: null }
  })
}

/** Two releases of a small shop. The faults are the same, but the lines, chunks and minified names differ. */
const price = `
export class Price {
  constructor(readonly cents: number) {}
  plus(other: Price): Price {
    if (other.cents < 0) throw new RangeError('negative price of ' + other.cents)
    return new Price(this.cents + other.cents)
  }
}`
/** Fails on line 6 if an item has no label, and on line 7 if it has no price. */
export const cartSource = `import { Price } from './price.ts'
type Item = { price: { total: number }; label: { text: string } }
export function sumOf(items: Item[]): Price {
  let sum = new Price(0)
  for (const item of items) {
    if (item.label.text === '') throw new Error('item ' + Math.random() + ' has no label')
    sum = sum.plus(new Price(item.price.total))
  }
  return sum
}`
const entry = `import { sumOf } from './cart.ts'
function checkout(items: any) { return sumOf(items) }
async function submit(items: any) { await null; return checkout(items) }
export { checkout, submit }`
const added = `
export const rates = { chf: 1, eur: 0.94 }
export function convert(cents: number, to: keyof typeof rates): number {
  const converted = cents * rates[to]
  return Math.round(converted)
}
`
const releases = {
  first: { 'client/price.ts': price, 'client/cart.ts': cartSource, 'client/entry.ts': entry },
  second: {
    'client/price.ts': `${added}${price}`,
    'client/cart.ts': `import { convert } from './price.ts'\n\n// moved down\n${cartSource}\nconsole.debug(convert(1, 'eur'))`,
    'client/entry.ts': `import { convert } from './price.ts'\nexport const shown = convert(5, 'chf')\n${entry}`,
  },
}

export type ShopRelease = keyof typeof releases

/**
 * Writes the sources of a release into a folder and bundles them for a browser: minified, with a hash in the name, and
 * without a reference to the source map. Returns the bundles without writing them.
 */
export async function bundleShop(
  folder: string,
  release: ShopRelease,
  outdir: string,
): Promise<OutputFile[]> {
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const [path, code] of Object.entries(releases[release])) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), code)
  }
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: { entry: 'client/entry.ts' },
    outdir,
    entryNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    minify: true,
    sourcemap: 'external',
    write: false,
  })
  return outputFiles
}
