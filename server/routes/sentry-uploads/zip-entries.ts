import { openPromise, type ZipFile } from 'yauzl'
import { BundleError } from './bundle-error.ts'
import { uploadLimits } from './upload-limits.ts'

export type ZipEntry = {
  name: string
  /** The declared size after decompression. */
  sizeBytes: number
  /** Reads the entry into a separate buffer. Must be called before the next entry is requested. @throws BundleError */
  read(): Promise<Buffer<ArrayBuffer>>
}

/**
 * Lists the entries of a ZIP file one at a time, so that memory use does not depend on the number of entries. Bytes before
 * the first entry are ignored: bundles start with a header of eight bytes.
 * @throws BundleError if the file is invalid
 */
export async function* zipEntries(
  path: string,
  maxEntries = uploadLimits.bundleEntries,
): AsyncGenerator<ZipEntry> {
  const zip = await invalidUnless(openPromise(path))
  const entries = zip.eachEntry()
  let count = 0
  try {
    while (true) {
      const { done, value: entry } = await invalidUnless(entries.next())
      if (done === true) return
      count += 1
      if (count > maxEntries) throw new BundleError(`The bundle contains more than ${maxEntries} files`)
      yield {
        name: entry.fileName,
        sizeBytes: entry.uncompressedSize,
        read: () => invalidUnless(readEntry(zip, entry)),
      }
    }
  } finally {
    zip.close()
  }
}

/** The stream fails if the size of the entry differs from its declared size. */
async function readEntry(zip: ZipFile, entry: Parameters<ZipFile['openReadStreamPromise']>[0]) {
  const content = Buffer.from(new ArrayBuffer(entry.uncompressedSize))
  const stream = await zip.openReadStreamPromise(entry)
  let sizeBytes = 0
  for await (const bytes of stream) {
    if (Buffer.isBuffer(bytes)) sizeBytes += bytes.copy(content, sizeBytes)
  }
  return content
}

/** The ZIP library's errors contain paths on the server, so clients see a generic message. */
async function invalidUnless<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch (cause) {
    throw new BundleError('The bundle is not a valid ZIP file', { cause })
  }
}
