import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { HttpError } from '../../http/http-error.ts'
import { uploadLimits } from './upload-limits.ts'

/** A part of a file, identified by its SHA-1. */
export type Chunk = { sha1: string; bytes: Buffer }

/**
 * Reads the chunks of a form one at a time. The field is `file`, or `file_gzip` for a compressed chunk; the file name is
 * the SHA-1 of the chunk.
 * @throws HttpError 400 if the form or a chunk is invalid, 413 if there are too many chunks or one is too large
 */
export async function* readChunks(body: Buffer, contentType: string): AsyncGenerator<Chunk> {
  const form = await parseForm(body, contentType)
  for (const [field, file] of form) {
    if (typeof file === 'string' || (field !== 'file' && field !== 'file_gzip'))
      throw new HttpError(400, 'The form may contain only files in the fields `file` and `file_gzip`')
    const content = Buffer.from(await file.arrayBuffer())
    const bytes = field === 'file' ? content : await decompress(content)
    if (bytes.length > uploadLimits.chunkBytes) throw tooLarge()
    if (createHash('sha1').update(bytes).digest('hex') !== file.name)
      throw new HttpError(400, 'The name of a chunk is not the SHA-1 of its content')
    yield { sha1: file.name, bytes }
  }
}

async function parseForm(body: Buffer, contentType: string): Promise<FormData> {
  const [, boundary] = /^multipart\/form-data;\s*boundary="?([\w'-]{1,70})"?$/i.exec(contentType) ?? []
  if (boundary === undefined)
    throw new HttpError(400, 'The body must be a form: `multipart/form-data` with a `boundary`')
  // Parsing many small parts would block the event loop.
  if (
    countAtMost(body, `--${boundary}`, uploadLimits.chunksPerRequest + 2) >
    uploadLimits.chunksPerRequest + 1
  )
    throw new HttpError(413, `A request may contain at most ${uploadLimits.chunksPerRequest} chunks`)
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  try {
    return await new Response(new Uint8Array(body), { headers }).formData()
  } catch {
    throw new HttpError(400, 'The form is incomplete or invalid')
  }
}

function countAtMost(body: Buffer, text: string, max: number): number {
  let count = 0
  for (let at = body.indexOf(text); at >= 0 && count < max; at = body.indexOf(text, at + 1)) count += 1
  return count
}

async function decompress(content: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(content, { maxOutputLength: uploadLimits.chunkBytes })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge()
    throw new HttpError(400, 'A chunk in `file_gzip` is incomplete or not gzip')
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, `A chunk is larger than ${uploadLimits.chunkBytes} bytes`)
}
