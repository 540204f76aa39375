import { StoreUnavailableError } from '../../store.ts'

const damage =
  /not a valid DuckDB|not read enough bytes|corrupt|checksum|serialization error|deserialize|WAL file|Failed to load metadata|INTERNAL Error|out of range/i

/** Messages of the engine or the system, and what each means to an operator. The first match counts. */
const causes: readonly (readonly [said: RegExp, means: (folder: string) => string])[] = [
  [
    /Could not set lock|Conflicting lock/i,
    folder =>
      `The store in ${folder} is in use by another process: stop that one, or point SIXPANE_DATA at another folder`,
  ],
  [
    /EACCES|EPERM|EROFS|permission denied|read-only file system|not writable/i,
    folder =>
      `The folder of the store, ${folder}, is not writable: give this user the right to write there, or point SIXPANE_DATA at another folder`,
  ],
  [
    /ENOTDIR|EEXIST/,
    folder => `The folder of the store, ${folder}, is a file or lies in one: point SIXPANE_DATA at a folder`,
  ],
  [
    /ENOSPC|no space left/i,
    folder =>
      `The disk of the store in ${folder} is full: make room, or point SIXPANE_DATA at another folder`,
  ],
  [
    /newer version of DuckDB|can only read version/i,
    folder =>
      `The store in ${folder} was written by a newer version of Sixpane: start that version, or point SIXPANE_DATA at another folder`,
  ],
  [
    damage,
    folder =>
      `The store in ${folder} is damaged: restore the file from a backup, or move it away to start without its content`,
  ],
]

/** Whether a file of the store could not be opened because its content is damaged. */
export function isDamage(error: unknown): boolean {
  const cause = causes.find(([pattern]) => pattern.test(messageOf(error)))
  return cause?.[0] === damage
}

/** The error to throw where the store can't be opened: in plain words where the cause is known. */
export function unavailable(error: unknown, folder: string): StoreUnavailableError {
  if (error instanceof StoreUnavailableError) return error
  const message = messageOf(error)
  const means = causes.find(([pattern]) => pattern.test(message))?.[1]
  const sentence = means?.(folder) ?? `The store in ${folder} can't be opened`
  return new StoreUnavailableError(`${sentence} (${message.split('\n', 1)[0]})`, { cause: error })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
