import { mapLimits } from '../../source-maps/map-limits.ts'

/**
 * The limits for uploads. `sentry-cli` reads the chunk limits from the server, so they can be small enough that a request
 * needs only a few megabytes of memory.
 */
export const uploadLimits = {
  /** A power of two. */
  chunkBytes: 2 ** 20,
  chunksPerRequest: 4,
  /** A compressed chunk may be slightly larger than its content, and each chunk in a form has headers. */
  chunkOverheadBytes: 4096,
  bundleBytes: 2 ** 29,
  chunksPerBundle: 1024,
  /** The total size of all chunks that are waiting to be assembled. */
  pendingBytes: 2 ** 30,
  pendingChunks: 4096,
  pendingAssemblies: 100,
  manifestBytes: 8e6,
  manifestValues: 400_000,
  bundleEntries: 20_000,
  mapBytes: mapLimits.sizeBytes,
  /** The total size of the maps in a bundle. A small ZIP can contain far more, because entries may share their content. */
  bundledMapBytes: 2e9,
  textLength: mapLimits.nameLength,
}

export type UploadLimits = typeof uploadLimits
