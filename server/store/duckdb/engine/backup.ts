import { copyDatabase, copyIfPresent } from './copy-files.ts'
import type { FileAccess } from './open-files.ts'

/**
 * Copies all files to an empty folder. Releases the lock between files, so that appends do not wait for the whole copy.
 * @returns the number of events in the copy
 */
export async function backUp(
  { files, recovery, withLock }: FileAccess,
  target: string,
  signal: AbortSignal,
): Promise<number> {
  // The active segment is copied first, so that the copy contains no events that are appended during the backup. In the
  // other segments, events may still be changed or deleted before the segments are copied.
  const { activeEvents, sealed, notLinked } = await withLock(() =>
    recovery.retry(async () => {
      const { segments, workspace } = files()
      const { name, path, events } = segments.active()
      await copyDatabase(path, target)
      const { notLinked } = await workspace.copyTo(target)
      const sealed = segments.all().filter(segment => segment.name !== name)
      return { activeEvents: events, sealed, notLinked }
    }),
  )
  let events = activeEvents
  for (const segment of sealed) {
    // An aborted backup stops here, because retention and shutdown wait for it.
    signal.throwIfAborted()
    events += await withLock(() =>
      recovery.retry(async () => {
        await copyDatabase(segment.path, target)
        // Reopening the store replaces the objects that describe the segments.
        const current = files()
          .segments.all()
          .find(({ name }) => name === segment.name)
        return (current ?? segment).events
      }),
    )
  }
  for (const { file, copy } of notLinked) await copyIfPresent(file, copy)
  return events
}
