import type { Logger } from '../../../logger.ts'
import { idsPerHour } from '../../common/accepted-hour.ts'
import { DamagedFileError, moveAside } from './damaged-file.ts'
import { firstIdAt } from './first-id.ts'
import { type OpenFiles, openFiles } from './open-files.ts'
import { afterIdIn } from './segments.ts'
import { unavailable } from './unavailable.ts'

export type OpenOptions = {
  /** The engine's memory limit; `null` means the default. */
  memoryBytes: number | null
  /** Whether to move damaged segments aside, which is the default. If not, a damaged segment makes the store unavailable. */
  movesDamaged?: boolean
  nowMs: () => number
  logger: Pick<Logger, 'error' | 'warn'> | undefined
}

/**
 * Opens the files of a store. Moves damaged segments aside, and opens the others.
 * @param options.verifies whether to read all segments
 * @param moved a set to which the function adds the path of each segment that it moves; cleared once the files are open
 * @throws StoreUnavailableError if a segment is damaged and must not be moved
 */
export async function openUndamaged(
  folder: string,
  { verifies, memoryBytes, movesDamaged = true, nowMs, logger }: OpenOptions & { verifies: boolean },
  moved: Set<string>,
): Promise<OpenFiles> {
  for (;;) {
    const firstId = moved.size > 0 ? unusedId(moved, nowMs()) : 0
    try {
      const files = await openFiles(folder, { firstId, verifies, memoryBytes })
      moved.clear()
      return files
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      if (!movesDamaged) throw unavailable(error, folder)
      const movedTo = await moveAside(error.path, nowMs())
      moved.add(error.path)
      logger?.error({ err: error, file: error.path, movedTo }, 'Moved a damaged store file aside')
    }
  }
}

/** The ids in a segment span at most a day plus its last batch, for which an hour is more than enough. */
const idsPerSegment = 25 * idsPerHour

/** Returns an id above all ids in the moved segments. If the clock was set back, those ids can belong to a future time. */
function unusedId(moved: ReadonlySet<string>, nowMs: number): number {
  const nowId = firstIdAt(nowMs)
  const futureIds = Array.from(moved, afterIdIn).filter(id => id >= nowId)
  return Math.max(nowId, ...futureIds.map(id => id + idsPerSegment))
}
