import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { packMap } from './packed-map.ts'
import { readSourceMap } from './source-map.ts'
import { SourceMapError } from './source-map-error.ts'

/** An uploaded source map. */
export type Upload = {
  release: string
  path: string
  debugId: string | null
  /** `null` for a map that any service may use. */
  service: string | null
  json: Buffer
}

/** A map in the stored format. Equal uploads have the same id. */
export type PackedUpload = { id: string; debugId: string | null; content: Uint8Array }

/** The thread's response. */
export type ThreadResponse = { packed: PackedUpload } | { problem: string }

/** Parsing a larger map would block the event loop. For a smaller map, starting a thread takes longer than parsing. */
const largeMapBytes = 1_000_000

// The build writes this module and `pack-thread.js` to the same folder.
const thread = new URL(
  import.meta.url.endsWith('.ts') ? './pack-thread.ts' : './pack-thread.js',
  import.meta.url,
)

/**
 * Validates and packs a source map. Transfers the bytes of a large map to a thread, so the caller cannot use them again.
 * @throws SourceMapError if the source map is invalid
 */
export function packUpload(upload: Upload): Promise<PackedUpload> {
  return upload.json.length < largeMapBytes ? packHere(upload) : packInThread(upload)
}

/** Like `packUpload`, but in the current thread. */
export async function packHere({ release, path, debugId, service, json }: Upload): Promise<PackedUpload> {
  const read = await readSourceMap(json)
  return {
    id: idOf([release, path, debugId ?? '', json, ...(service === null ? [] : [service])]),
    debugId: debugId ?? read.debugId,
    content: await packMap(read),
  }
}

async function packInThread(upload: Upload): Promise<PackedUpload> {
  const { buffer } = upload.json
  // Transfer the buffer: copying 60 MB would take 50 ms.
  const transferList = buffer instanceof ArrayBuffer ? [buffer] : []
  const response = await new Promise<ThreadResponse>((resolve, reject) => {
    new Worker(thread, { workerData: upload, transferList })
      .once('message', resolve)
      .once('error', reject)
      .once('exit', code => reject(new Error(`The thread that reads a source map exited with code ${code}`)))
  })
  if ('problem' in response) throw new SourceMapError(response.problem)
  return response.packed
}

function idOf(parts: readonly (string | Buffer)[]): string {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(`${part.length} `).update(part)
  return sum.digest('base64url').slice(0, 22)
}
