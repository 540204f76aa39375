import { promisify } from 'node:util'
import { deflate as deflateBytes, inflate as inflateBytes } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ReadMap, SourceMap } from './source-map.ts'

/**
 * A map as it is kept: how long its directory is (four bytes), the directory, and the text of each source, all
 * deflated by themselves, so that a frame takes the mappings and one text into memory, never all of the sources.
 */
const directory = Type.Object({
  sources: Type.Array(Type.Union([Type.String(), Type.Null()])),
  sections: Type.Array(
    Type.Object({
      line: Type.Number(),
      column: Type.Number(),
      firstSource: Type.Number(),
      mappings: Type.Object({
        text: Type.String(),
        // Tens of thousands of numbers: looked at without the schema, which takes long for each.
        stops: Type.Unknown(),
        isSorted: Type.Boolean(),
      }),
    }),
  ),
  /** Where the text of each source begins behind the directory, and its length there. */
  texts: Type.Array(Type.Union([Type.Object({ start: Type.Number(), length: Type.Number() }), Type.Null()])),
})
type Directory = Static<typeof directory>

const lengthBytes = 4
const deflate = promisify<Uint8Array, Buffer>(deflateBytes)
const inflate = promisify<Uint8Array, Buffer>(inflateBytes)

export async function packMap({ map, contents }: ReadMap): Promise<Buffer> {
  const packed: Buffer[] = []
  const texts: Directory['texts'] = []
  let start = 0
  // One after another: so many pieces of work at once would keep others from the threads that do them.
  for (const content of contents) {
    if (content === null) {
      texts.push(null)
      continue
    }
    const text = await deflate(Buffer.from(content))
    texts.push({ start, length: text.length })
    packed.push(text)
    start += text.length
  }
  const head = await deflate(Buffer.from(JSON.stringify({ ...map, texts })))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, ...packed])
}

/** Gives bytes of a packed map, fewer where it ends; `null` where it is not kept (any more). */
export type ReadBytes = (start: number, length: number) => Promise<Uint8Array | null>

export type PackedMap = {
  map: SourceMap
  /** What it takes in memory, about. */
  sizeBytes: number
  text(source: number): Promise<string | null>
}

/** Opens a packed map by its directory; `null` where it is not kept, or damaged. */
export async function openPacked(read: ReadBytes): Promise<PackedMap | null> {
  const length = await read(0, lengthBytes)
  if (length === null || length.length < lengthBytes) return null
  const headBytes = Buffer.from(length).readUInt32LE()
  const head = await inflated(await read(lengthBytes, headBytes))
  if (head === null) return null
  const opened = readDirectory(head)
  if (opened === null) return null
  const { texts, ...map } = opened
  return {
    map,
    sizeBytes: head.length,
    async text(source) {
      const at = texts[source]
      if (at === undefined || at === null) return null
      const text = await inflated(await read(lengthBytes + headBytes + at.start, at.length))
      return text === null ? null : text.toString('utf8')
    },
  }
}

async function inflated(bytes: Uint8Array | null): Promise<Buffer | null> {
  return bytes === null ? null : inflate(bytes).catch(() => null)
}

function readDirectory(head: Buffer): (SourceMap & { texts: Directory['texts'] }) | null {
  try {
    const value: unknown = JSON.parse(head.toString('utf8'))
    if (!Value.Check(directory, value)) return null
    const sections = value.sections.flatMap(section => {
      const { stops, ...mappings } = section.mappings
      return isNumbers(stops) ? { ...section, mappings: { ...mappings, stops } } : []
    })
    return sections.length === value.sections.length ? { ...value, sections } : null
  } catch {
    return null
  }
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(each => typeof each === 'number')
}
