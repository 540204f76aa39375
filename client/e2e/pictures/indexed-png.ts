import { crc32, deflateSync } from 'node:zlib'
import type { PNG } from 'pngjs'

const mostColors = 256
const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Writes a picture with at most 256 colours: a quarter of the bytes that all of them take. The colours of areas stay what
 * they are; shades at the edges of letters become one that is near.
 * https://www.w3.org/TR/png-3/#11IHDR
 */
export function indexedPng({ width, height, data }: PNG): Buffer {
  const colors = Array.from({ length: width * height }, (_, index) => data.readUInt32BE(index * 4) >>> 8)
  const counts = new Map<number, number>()
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1)
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color)
  const palette = paletteOf(byCount)
  const places = new Map(byCount.map(color => [color, nearest(palette, color).index]))

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
    chunk('PLTE', Buffer.from(palette.flatMap(color => [color >> 16, (color >> 8) & 255, color & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Takes of colours, the most frequent first, each that is not near to one before, with as little nearness as there is room. */
function paletteOf(colors: readonly number[]): number[] {
  for (let apart = 6; ; apart += 2) {
    const palette: number[] = []
    for (const color of colors) {
      if (nearest(palette, color).distance > apart ** 2) palette.push(color)
      if (palette.length > mostColors) break
    }
    if (palette.length <= mostColors) return palette
  }
}

function nearest(palette: readonly number[], color: number): { index: number; distance: number } {
  const best = { index: 0, distance: Number.POSITIVE_INFINITY }
  for (const [index, each] of palette.entries()) {
    const [red, green, blue] = [
      (each >> 16) - (color >> 16),
      ((each >> 8) & 255) - ((color >> 8) & 255),
      (each & 255) - (color & 255),
    ]
    const distance = red ** 2 + green ** 2 + blue ** 2
    if (distance < best.distance) {
      best.index = index
      best.distance = distance
    }
  }
  return best
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
