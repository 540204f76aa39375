/** The worker thread that `packUpload` starts for a large source map. */
import { parentPort, workerData } from 'node:worker_threads'
import { packHere, type ThreadResponse, type Upload } from './pack-upload.ts'
import { SourceMapError } from './source-map-error.ts'

const { json, ...upload }: Upload = workerData
// A transferred buffer arrives as a plain `Uint8Array`.
const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
parentPort?.postMessage(await respond({ ...upload, json: bytes }))

async function respond(upload: Upload): Promise<ThreadResponse> {
  try {
    return { packed: await packHere(upload) }
  } catch (error) {
    if (error instanceof SourceMapError) return { problem: error.message }
    throw error
  }
}
