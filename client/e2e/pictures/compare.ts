import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { indexedPng } from './indexed-png.ts'

const kept = fileURLToPath(new URL('./kept/', import.meta.url))
const failed = fileURLToPath(new URL('./failed/', import.meta.url))

/** Makes the pictures instead of comparing them. */
const isRenewing = process.env.PICTURES === 'renew'
const howToRenew = 'npm run pictures'

const compared = new Set<string>()

/** Of colours, by pixelmatch: what a careful eye tells apart. */
const threshold = 0.05
/**
 * Two pictures differ where more pixels than this do within a square: a line through it has 16. So a small change
 * counts in a large picture too, and the edges of letters, which other machines draw a little otherwise, do not.
 */
const squarePx = 16
const mostOfSquare = 12

/**
 * Compares a picture with the one that is kept under the name.
 * @returns what is wrong in words, with the files that show it, or `null` where they look the same
 */
export async function problemOf(name: string, picture: PNG): Promise<string | null> {
  const path = `${kept}${name}.png`
  compared.add(path)
  if (isRenewing) {
    await write(path, picture)
    return null
  }
  const before = await read(path)
  if (before === null) return `There is no picture ${named(path)}: make it by \`${howToRenew}\``

  const { where, shown } = differenceOf(before, picture)
  const [newPath, shownPath] = [`${failed}${name}.png`, `${failed}${name}.difference.png`]
  if (where === null) {
    await Promise.all([newPath, shownPath].map(each => rm(each, { force: true })))
    return null
  }
  await write(newPath, picture)
  if (shown !== null) await write(shownPath, shown)
  const files = shown === null ? named(newPath) : `${named(newPath)} and ${named(shownPath)}`
  return `${name} looks other than ${named(path)} ${where}: see ${files}. If it should: \`${howToRenew}\``
}

/** The kept pictures that nothing was compared with: of what is not there any more. Renewing drops them. */
export async function leftPictures(): Promise<string[]> {
  const files = await readdir(kept, { recursive: true, withFileTypes: true })
  const left = files
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name))
    .filter(path => !compared.has(path))
  if (!isRenewing) return left.map(named)
  await Promise.all(left.map(path => rm(path)))
  return []
}

/** Where two pictures differ first, in words, or `null`; and the second one with each difference in red. */
export function differenceOf(before: PNG, after: PNG): { where: string | null; shown: PNG | null } {
  const { width, height } = after
  if (before.width !== width || before.height !== height)
    return { where: `in size: ${width} × ${height} px, not ${before.width} × ${before.height}`, shown: null }
  const shown = new PNG({ width, height })
  pixelmatch(before.data, after.data, shown.data, width, height, { threshold, diffColor: [255, 0, 0] })
  const place = firstSquare(shown)
  return { where: place === null ? null : `around ${place.x}, ${place.y}`, shown }
}

function firstSquare({ width, height, data }: PNG): { x: number; y: number } | null {
  for (let y = 0; y < height; y += squarePx) {
    for (let x = 0; x < width; x += squarePx) {
      let different = 0
      for (let row = y; row < Math.min(y + squarePx, height); row += 1) {
        for (let column = x; column < Math.min(x + squarePx, width); column += 1) {
          const at = (row * width + column) * 4
          if (data[at] === 255 && data[at + 1] === 0 && data[at + 2] === 0) different += 1
        }
      }
      if (different > mostOfSquare) return { x, y }
    }
  }
  return null
}

async function read(path: string): Promise<PNG | null> {
  try {
    return PNG.sync.read(await readFile(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function write(path: string, picture: PNG): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, indexedPng(picture))
}

function named(path: string): string {
  return relative(process.cwd(), path)
}
