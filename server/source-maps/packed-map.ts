import { promisify } from 'node:util'
import { deflate as deflateBytes, inflate as inflateBytes } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ReadMap, SourceMap } from './source-map.ts'

/**
 * The stored format of a map: the length of its directory (four bytes), the directory, and the text of each source. The
 * parts are deflated separately, so that mapping a frame loads only the mappings and one text.
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
        // Tens of thousands of checkpoint numbers. `isNumbers` validates them, because a schema would be slow.
        stops: Type.Unknown(),
        isSorted: Type.Boolean(),
      }),
    }),
  ),
  /** Offset (after the directory) and compressed length of each source text. */
  texts: Type.Array(Type.Union([Type.Object({ start: Type.Number(), length: Type.Number() }), Type.Null()])),
})
type Directory = Static<typeof directory>

const lengthPrefixBytes = 4
const deflate = promisify<Uint8Array, Buffer>(deflateBytes)
const inflate = promisify<Uint8Array, Buffer>(inflateBytes)

/** Converts a map to the stored format. */
export async function packMap({ map, contents }: ReadMap): Promise<Buffer> {
  const packed: Buffer[] = []
  const texts: Directory['texts'] = []
  let start = 0
  // Sequential, because compressing all texts at once would block the thread pool.
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
  const head = await deflate(Buffer.from(JSON.stringify(toDirectory(map, texts))))
  const length = Buffer.alloc(lengthPrefixBytes)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, ...packed])
}

/** Reads bytes of a packed map (fewer at its end). Returns `null` if the map is not stored or has been deleted. */
export type ReadBytes = (start: number, length: number) => Promise<Uint8Array | null>

export type PackedMap = {
  map: SourceMap
  /** Approximate size in memory without the source text. */
  sizeBytes: number
  text(source: number): Promise<string | null>
}

/** Reads the directory of a packed map. Returns `null` if the map is not stored or is damaged. */
export async function openPackedMap(read: ReadBytes): Promise<PackedMap | null> {
  const length = await read(0, lengthPrefixBytes)
  if (length === null || length.length < lengthPrefixBytes) return null
  const headBytes = Buffer.from(length).readUInt32LE()
  const head = await inflateOrNull(await read(lengthPrefixBytes, headBytes))
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
      const text = await inflateOrNull(await read(lengthPrefixBytes + headBytes + at.start, at.length))
      return text === null ? null : text.toString('utf8')
    },
  }
}

async function inflateOrNull(bytes: Uint8Array | null): Promise<Buffer | null> {
  return bytes === null ? null : inflate(bytes).catch(() => null)
}

function toDirectory(map: SourceMap, texts: Directory['texts']): Directory {
  const sections = map.sections.map(({ mappings: { text, checkpoints, isSorted }, ...section }) => ({
    ...section,
    mappings: { text, stops: checkpoints, isSorted },
  }))
  return { ...map, sections, texts }
}

function readDirectory(head: Buffer): (SourceMap & { texts: Directory['texts'] }) | null {
  try {
    const value: unknown = JSON.parse(head.toString('utf8'))
    if (!Value.Check(directory, value)) return null
    const sections = value.sections.flatMap(section => {
      const { stops, ...mappings } = section.mappings
      return isNumbers(stops) ? { ...section, mappings: { ...mappings, checkpoints: stops } } : []
    })
    return sections.length === value.sections.length ? { ...value, sections } : null
  } catch {
    return null
  }
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(each => typeof each === 'number')
}
