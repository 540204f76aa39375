import { BundleError } from './bundle-error.ts'
import { type ListedMap, readManifest } from './bundle-manifest.ts'
import { uploadLimits } from './upload-limits.ts'
import { type ZipEntry, zipEntries } from './zip-entries.ts'

/** A source map in a bundle. */
export type BundledMap = ListedMap & {
  /** The release of the bundle. */
  bundleRelease: string | null
  sizeBytes: number
  /** Reads the map. Must be called before the next map is requested. @throws BundleError */
  read(): Promise<Buffer<ArrayBuffer>>
}

const manifestName = 'manifest.json'

/**
 * Lists the source maps of an artifact bundle: a ZIP file with a `manifest.json`. Reads the list of entries twice, because
 * the manifest is the last entry, and storing the list would need more memory.
 * @throws BundleError if the bundle is invalid, or its maps are too large in total
 */
export async function* bundledMaps(path: string): AsyncGenerator<BundledMap> {
  const { release, maps } = readManifest(await manifestOf(path))
  if (maps.size === 0) return
  let totalBytes = 0
  for await (const entry of zipEntries(path)) {
    const listed = maps.get(entry.name)
    if (listed === undefined) continue
    const { sizeBytes } = entry
    totalBytes += sizeBytes
    if (totalBytes > uploadLimits.bundledMapBytes)
      throw new BundleError(
        `The source maps of the bundle are larger than ${uploadLimits.bundledMapBytes / 1e9} GB in total. Upload them in several bundles.`,
      )
    yield {
      ...listed,
      bundleRelease: release,
      sizeBytes,
      read: () => readLimited(entry, uploadLimits.mapBytes, 'It'),
    }
  }
}

async function manifestOf(path: string): Promise<Buffer> {
  for await (const entry of zipEntries(path)) {
    if (entry.name === manifestName)
      return await readLimited(entry, uploadLimits.manifestBytes, 'The `manifest.json` of the bundle')
  }
  throw new BundleError('The bundle contains no `manifest.json`')
}

/** @param subject the subject of the error message */
async function readLimited(
  entry: ZipEntry,
  limitBytes: number,
  subject: string,
): Promise<Buffer<ArrayBuffer>> {
  if (entry.sizeBytes > limitBytes) throw new BundleError(`${subject} is larger than ${limitBytes / 1e6} MB`)
  return entry.read()
}
