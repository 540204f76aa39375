import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar'
import { errorCode } from '../../shared/error-code.ts'
import { BackupError, type Manifest, manifestName, readVerified } from './manifest.ts'

/**
 * Extracts a backup into an empty folder, and verifies its files.
 * @throws BackupError if it is incomplete or damaged
 */
export async function extractBackup(
  archive: Readable,
  folder: string,
  signal?: AbortSignal,
): Promise<Manifest> {
  try {
    await pipeline(archive, extract({ cwd: folder, strict: true, filter: isPlain }), { signal })
  } catch (error) {
    signal?.throwIfAborted()
    if (errorCode(error) === 'ENOSPC') throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupError(`it is not a Sixpane backup, or it is damaged (${reason})`)
  }
  const manifest = await readVerified(folder)
  await rm(join(folder, manifestName))
  return manifest
}

/** A backup contains only files and folders. Links could point outside the folder. */
function isPlain(_path: string, entry: object): boolean {
  return !('type' in entry) || entry.type === 'File' || entry.type === 'Directory'
}
