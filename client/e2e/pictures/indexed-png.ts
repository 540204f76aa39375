import { crc32, deflateSync } from 'node:zlib'
import type { PNG } from 'pngjs'

const mostColors = 256
const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Writes a picture with at most 256 colours, those that it has most of: a quarter of the bytes that all of them take.
 * What is left out are shades at the edges of letters; each becomes the nearest one.
 * https://www.w3.org/TR/png-3/#11IHDR
 */
export function indexedPng({ width, height, data }: PNG): Buffer {
  const colors = Array.from({ length: width * height }, (_, index) => data.readUInt32BE(index * 4) >>> 8)
  const counts = new Map<number, number>()
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1)
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostColors)
    .map(([color]) => color)
  const places = new Map([...counts.keys()].map(color => [color, nearest(palette, color)]))

  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc((width + 1) * height)
  colors.forEach((color, index) => {
    rows[index + Math.floor(index / width) + 1] = places.get(color) ?? 0
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(color => parts(color)))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function nearest(palette: readonly number[], color: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  const [red, green, blue] = parts(color)
  palette.forEach((each, index) => {
    const [r, g, b] = parts(each)
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
    if (distance < least) [best, least] = [index, distance]
  })
  return best
}

function parts(color: number): [red: number, green: number, blue: number] {
  return [color >> 16, (color >> 8) & 255, color & 255]
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
