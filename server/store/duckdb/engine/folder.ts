import { constants } from 'node:fs'
import { access, mkdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StoreUnavailableError } from '../../store.ts'

/** The engine's file locks do not exclude a second store in the same process, so this set records the open stores. */
const lockedPaths = new Set<string>()

export type Folder = {
  /** The absolute path, without symbolic links. */
  readonly path: string
  release(): void
  /** Releases the folder, and deletes all folders that `lockFolder` created. */
  undo(): Promise<void>
}

/**
 * Creates the store's folder if it is missing, and locks it against a second store in this process.
 * @throws StoreUnavailableError if it is already locked; rethrows file system errors unchanged
 */
export async function lockFolder(folder: string): Promise<Folder> {
  const created = await createFolder(resolve(folder))
  const path = await realpath(folder)
  await access(path, constants.W_OK | constants.X_OK)
  if (lockedPaths.has(path))
    throw new StoreUnavailableError(`The store in ${path} is already open in this process`)
  lockedPaths.add(path)
  const release = () => {
    lockedPaths.delete(path)
  }
  return {
    path,
    release,
    async undo() {
      release()
      if (created !== null) await rm(created, { recursive: true, force: true })
    },
  }
}

/**
 * Creates a folder and its missing parents. Returns the topmost folder that it created, or `null` if the folder existed.
 * Does not use Node's recursive `mkdir`, which never returns for `/proc/x`, because Linux reports ENOENT there even though
 * the parent exists.
 */
async function createFolder(path: string): Promise<string | null> {
  if (await isFolder(path)) return null
  const parent = dirname(path)
  const created = parent === path ? null : await createFolder(parent)
  try {
    await mkdir(path)
    return created ?? path
  } catch (error) {
    // Another process may have created the folder first.
    if (await isFolder(path)) return created
    if (created !== null) await rm(created, { recursive: true, force: true })
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  )
}
