import { constants } from 'node:fs'
import { access, mkdir, realpath, rm } from 'node:fs/promises'
import { StoreUnavailableError } from '../../store.ts'
import { spillFolder } from './engine.ts'

/** The engine's file locks do not exclude a second store in the same process, so this set does. */
const lockedPaths = new Set<string>()

export type Folder = {
  /** Absolute, without symbolic links. */
  readonly path: string
  release(): void
  /** Releases the folder, and deletes it if `lockFolder` created it. */
  undo(): Promise<void>
}

/**
 * Creates the store's folder if it is missing, and locks it against a second store in this process.
 * @throws StoreUnavailableError if it is locked already; errors of the file system unchanged
 */
export async function lockFolder(folder: string): Promise<Folder> {
  const created = await mkdir(folder, { recursive: true })
  const path = await realpath(folder)
  await access(path, constants.W_OK | constants.X_OK)
  if (lockedPaths.has(path))
    throw new StoreUnavailableError(`The store in ${path} is already open in this process`)
  lockedPaths.add(path)
  // Left behind by a kill.
  await rm(spillFolder(path), { recursive: true, force: true })
  const release = () => {
    lockedPaths.delete(path)
  }
  return {
    path,
    release,
    async undo() {
      release()
      if (created !== undefined) await rm(created, { recursive: true, force: true })
    },
  }
}
