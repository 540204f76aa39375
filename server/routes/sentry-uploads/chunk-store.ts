import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HttpError } from '../../http/http-error.ts'
import { createMutex } from '../../store/common/mutex.ts'
import { BundleError } from './bundle-error.ts'
import type { Chunk } from './chunk-form.ts'
import { type UploadLimits, uploadLimits } from './upload-limits.ts'

/** Stores chunks on disk until their file is assembled. */
export type ChunkStore = {
  /** @throws HttpError 507 if too many chunks are stored */
  put(chunk: Chunk): Promise<void>
  /** Returns the names of chunks that are not stored. */
  missing(names: readonly string[]): string[]
  /**
   * Joins chunks into a file, calls `use` with its path, and deletes the file.
   * @throws BundleError if a chunk is missing, the file is too large, or its SHA-1 is not `sha1`
   */
  withFile<Result>(
    sha1: string,
    names: readonly string[],
    use: (path: string) => Promise<Result>,
  ): Promise<Result>
  remove(names: readonly string[]): Promise<void>
  /** Deletes the chunks that are older than an hour. */
  removeExpired(): Promise<void>
  /**
   * Deletes all files in the folder, because a new process does not know which chunks they contain. Later `put` calls wait
   * for the deletion.
   */
  clear(): Promise<void>
}

type StoredChunk = { sizeBytes: number; storedMs: number }

/** After this time, chunks that were not assembled are deleted. */
export const chunkLifetimeMs = 60 * 60_000

/** Creates a store. Its folder is created with the first chunk. */
export function createChunkStore(
  folder: string,
  { nowMs = Date.now, limits = uploadLimits }: { nowMs?: () => number; limits?: UploadLimits } = {},
): ChunkStore {
  const stored = new Map<string, StoredChunk>()
  let pendingBytes = 0
  let pendingChunks = 0
  let cleared: Promise<void> = Promise.resolve()
  /** Chunk files are created and deleted one at a time. */
  const withLock = createMutex()
  const pathOf = (name: string) => join(folder, name)

  const concatenate = async (sha1: string, names: readonly string[], target: string) => {
    const hash = createHash('sha1')
    let sizeBytes = 0
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(target, 'wx', 0o600)
    try {
      for (const name of names) {
        const chunk = stored.get(name)
        if (chunk === undefined)
          throw new BundleError('A part of the bundle is missing. Upload the bundle again.')
        sizeBytes += chunk.sizeBytes
        if (sizeBytes > limits.bundleBytes)
          throw new BundleError(`The bundle is larger than ${limits.bundleBytes / 2 ** 20} MiB`)
        const bytes = await readFile(pathOf(name))
        hash.update(bytes)
        await file.writeFile(bytes)
      }
    } finally {
      await file.close()
    }
    if (hash.digest('hex') !== sha1)
      throw new BundleError('The SHA-1 of the joined chunks is not the `checksum`')
  }

  const remove = async (names: readonly string[]) => {
    // Forget all chunks before deleting their files, so that other uploads send shared chunks again.
    for (const name of names) {
      const chunk = stored.get(name)
      if (chunk === undefined) continue
      stored.delete(name)
      pendingBytes -= chunk.sizeBytes
      pendingChunks -= 1
    }
    for (const name of names) {
      await withLock(async () => {
        // The chunk may have been uploaded again.
        if (!stored.has(name)) await rm(pathOf(name), { force: true })
      })
    }
  }

  return {
    async put({ sha1, bytes }) {
      if (stored.has(sha1)) return
      if (pendingBytes + bytes.length > limits.pendingBytes || pendingChunks >= limits.pendingChunks)
        throw new HttpError(507, 'Too many uploads are waiting to be assembled. Try again in an hour.')
      pendingBytes += bytes.length
      pendingChunks += 1
      const temporary = pathOf(`${randomUUID()}.part`)
      let isStored = false
      try {
        await cleared
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(temporary, bytes, { mode: 0o600 })
        isStored = await withLock(async () => {
          await rename(temporary, pathOf(sha1))
          if (stored.has(sha1)) return false
          stored.set(sha1, { sizeBytes: bytes.length, storedMs: nowMs() })
          return true
        })
      } finally {
        if (!isStored) {
          pendingBytes -= bytes.length
          pendingChunks -= 1
          await rm(temporary, { force: true })
        }
      }
    },
    missing: names => [...new Set(names)].filter(name => !stored.has(name)),
    async withFile(sha1, names, use) {
      const path = pathOf(`${randomUUID()}.bundle`)
      try {
        await concatenate(sha1, names, path)
        return await use(path)
      } finally {
        await rm(path, { force: true })
      }
    },
    remove,
    removeExpired() {
      const oldestMs = nowMs() - chunkLifetimeMs
      return remove([...stored].filter(([, { storedMs }]) => storedMs < oldestMs).map(([name]) => name))
    },
    async clear() {
      stored.clear()
      pendingBytes = 0
      pendingChunks = 0
      cleared = rm(folder, { recursive: true, force: true })
      await cleared
    },
  }
}
