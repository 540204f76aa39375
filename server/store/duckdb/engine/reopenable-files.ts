import { isDamagedBlock, isInvalidated } from './engine-errors.ts'
import { filesOf, type OpenFiles, throwIfMissing } from './open-files.ts'
import { type OpenOptions, openUndamaged } from './open-undamaged.ts'
import { createRecovery, type Recovery } from './recovery.ts'

/** The files that are currently open, and the `Recovery` that reopens them. */
export type ReopenableFiles = { files: () => OpenFiles; recovery: Recovery }

/** Opens the files of a folder. They are reopened if the engine refuses further work, or reports a damaged block. */
export async function openReopenableFiles(folder: string, options: OpenOptions): Promise<ReopenableFiles> {
  const moved = new Set<string>()
  const open = (verifies: boolean) => openUndamaged(folder, { ...options, verifies }, moved)
  let files = await open(false)
  /**
   * Damage errors that triggered a check of all segments. If one recurs, the damage is not in a segment, and reopening does
   * not help.
   */
  const examinedDamage = new Set<string>()
  const recovery = createRecovery({
    isBroken: error => isInvalidated(error) || (isDamagedBlock(error) && !examinedDamage.has(String(error))),
    async replace(reason) {
      // If an earlier replacement failed, it may have moved damaged files.
      await throwIfMissing(filesOf(files).filter(({ path }) => !moved.has(path)))
      await files.engine.close()
      const verifies = isDamagedBlock(reason)
      if (verifies) examinedDamage.add(String(reason))
      files = await open(verifies)
      options.logger?.warn({ reason: String(reason) }, 'Reopened the store')
    },
  })
  return { files: () => files, recovery }
}
