import { constants } from 'node:fs'
import { access, mkdir, realpath, rm } from 'node:fs/promises'
import { StoreUnavailableError } from '../../store.ts'
import { spillFolder } from './engine.ts'

/** Locks on files do not hold between two openings in one process, so those are kept apart here. */
const held = new Set<string>()

export type Folder = {
  /** Absolute, with no link in it. */
  readonly path: string
  release(): void
  /** Releases the folder and, if it was made here, takes it away again. */
  undo(): Promise<void>
}

/**
 * Makes the folder of the store where it is missing, and holds it against a second opening in this process.
 * @throws StoreUnavailableError when it is held already; errors of the file system as they come
 */
export async function holdFolder(given: string): Promise<Folder> {
  const made = await mkdir(given, { recursive: true })
  const path = await realpath(given)
  await access(path, constants.W_OK | constants.X_OK)
  if (held.has(path)) throw new StoreUnavailableError(`The store in ${path} is open in this process already`)
  held.add(path)
  // What a kill left behind.
  await rm(spillFolder(path), { recursive: true, force: true })
  const release = () => {
    held.delete(path)
  }
  return {
    path,
    release,
    async undo() {
      release()
      if (made !== undefined) await rm(made, { recursive: true, force: true })
    },
  }
}
