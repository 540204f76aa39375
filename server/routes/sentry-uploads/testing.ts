import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

/** A file in a test ZIP. `declaredBytes` replaces its size in the headers. */
export type TestFile = { name: string; content: string | Buffer; declaredBytes?: number; method?: 0 | 8 }

/** Builds a ZIP file like those that Sentry's clients upload: a header of eight bytes, then the entries. */
export function zipOf(files: readonly TestFile[]): Buffer {
  const parts: Buffer[] = [Buffer.from('SYSB\u0002\0\0\0')]
  const directory: Buffer[] = []
  let offset = 8
  for (const { name, content, declaredBytes, method = 8 } of files) {
    const bytes = Buffer.from(content)
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(declaredBytes ?? bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = [Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed]
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), common, place, Buffer.from(name))
    parts.push(...local)
    offset += Buffer.concat(local).length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\u0005\u0006'), end])
}

/** Builds a bundle with a manifest. */
export function bundleOf(manifest: unknown, files: readonly TestFile[]): Buffer {
  return zipOf([...files, { name: 'manifest.json', content: JSON.stringify(manifest) }])
}

export const testMap = JSON.stringify({
  version: 3,
  sources: ['a.ts'],
  sourcesContent: ['a'],
  names: [],
  mappings: 'AAAA',
})

/** Builds a bundle like those that `sentry-cli` uploads, with one generated file and its map. */
export function simpleBundle({
  release = 'shop@1.2.3',
  map = testMap,
  debugId,
}: {
  release?: string | null
  map?: string
  debugId?: string
} = {}): Buffer {
  const headers = debugId === undefined ? {} : { 'debug-id': debugId }
  const manifest = {
    files: {
      'files/_/_/main.js': {
        type: 'minified_source',
        url: '~/main.js',
        headers: { sourcemap: 'main.js.map', ...headers },
      },
      'files/_/_/main.js.map': { type: 'source_map', url: '~/main.js.map', headers },
    },
    ...(release === null ? {} : { release }),
  }
  return bundleOf(manifest, [
    { name: 'files/_/_/main.js', content: 'a()' },
    { name: 'files/_/_/main.js.map', content: map },
  ])
}

export function sha1Of(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex')
}

type FormFile = { field: string; name: string; content: Uint8Array<ArrayBuffer> }

/** Encodes files as a form. */
export async function formOf(
  files: readonly FormFile[],
): Promise<{ body: Buffer<ArrayBuffer>; contentType: string }> {
  const form = new FormData()
  for (const { field, name, content } of files) form.append(field, new Blob([content]), name)
  const response = new Response(form)
  const contentType = response.headers.get('content-type') ?? ''
  return { body: Buffer.from(await response.arrayBuffer()), contentType }
}
