import { mkdir, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../../../shared/error-code.ts'
import { withLogOf } from './attach.ts'

/** Thrown if the content of a segment is damaged. */
export class DamagedFileError extends Error {
  override name = 'DamagedFileError'
  constructor(
    readonly path: string,
    override readonly cause: unknown,
  ) {
    super(`${basename(path)}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

const folderName = 'damaged'

/**
 * Moves a damaged file and its write-ahead log to `damaged/<time>/` in the store's folder. Nothing is deleted, so that an
 * operator can still repair both files.
 * @returns the new path of the file
 */
export async function moveAside(path: string, nowMs: number): Promise<string> {
  const time = new Date(nowMs).toISOString().replaceAll(':', '-')
  const folder = join(dirname(path), folderName, time)
  await mkdir(folder, { recursive: true })
  for (const file of withLogOf(path)) {
    await rename(file, join(folder, basename(file))).catch(error => {
      if (errorCode(error) !== 'ENOENT') throw error
    })
  }
  return join(folder, basename(path))
}

/** The damaged files that were moved aside and still exist. Paths are relative to the store's folder. */
export async function damagedFiles(folder: string): Promise<string[]> {
  const files = await readdir(join(folder, folderName), { recursive: true }).catch(() => [])
  const segments = files
    .filter(file => /\.duckdb(\.wal)?$/.test(file))
    .map(file => file.replace(/\.wal$/, ''))
  return [...new Set(segments)].sort().map(file => join(folderName, file))
}
