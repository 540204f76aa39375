import { StoreUnavailableError } from '../../store.ts'

const lockConflict = /Could not set lock|Conflicting lock/i

const damage =
  /not a valid DuckDB|not read enough bytes|corrupt|checksum|serialization error|deserialize|WAL file|Failed to load metadata|INTERNAL Error|out of range/i

/**
 * Patterns of engine and system errors, with explanations for the operator. The first match applies. `damage` is last,
 * because it matches every error that occurs while the engine replays a log, including a lack of memory.
 */
const causes: readonly (readonly [pattern: RegExp, explain: (folder: string) => string])[] = [
  [
    lockConflict,
    folder =>
      `The store in ${folder} is in use by another process: stop that process, or point SIXPANE_DATA at another folder`,
  ],
  [
    /EACCES|EPERM|EROFS|permission denied|read-only file system|not writable/i,
    folder =>
      `The store folder ${folder} is not writable: grant this user write permission, or point SIXPANE_DATA at another folder`,
  ],
  [
    /ENOTDIR|EEXIST/,
    folder => `The store folder ${folder} is a file or is inside one: point SIXPANE_DATA at a folder`,
  ],
  [
    /ENOSPC|no space left/i,
    folder =>
      `The disk that contains the store folder ${folder} is full: free some space, or point SIXPANE_DATA at another folder`,
  ],
  [
    /ENOENT|No such file or directory/,
    folder =>
      `The store folder ${folder} or a file in it cannot be created: point SIXPANE_DATA at a folder on a disk`,
  ],
  [
    /newer version of DuckDB|can only read version/i,
    folder =>
      `The store in ${folder} was written by a newer version of Sixpane: start that version, or point SIXPANE_DATA at another folder`,
  ],
  [
    /Out of Memory Error|Failed to commit: .*(?:allocat|pin block)/i,
    folder =>
      `DuckDB does not have enough memory to open the store in ${folder}: increase SIXPANE_ENGINE_MB, or the memory of the machine or container`,
  ],
  [
    /Could not (?:read from|write|seek|truncate|fsync|remove|rename)|fsync failed|Cannot open file/,
    folder =>
      `The system could not read or write a file of the store in ${folder}: check the disk, or point SIXPANE_DATA at another folder`,
  ],
  [
    damage,
    folder =>
      `The store in ${folder} is damaged: restore the damaged file from a backup, or move it away to start without its content`,
  ],
]

/** Whether another process has the store open. */
export function isInUse(error: unknown): boolean {
  return lockConflict.test(messageOf(error))
}

/** Whether a store file could not be opened because its content is damaged. */
export function isDamage(error: unknown): boolean {
  const cause = causes.find(([pattern]) => pattern.test(messageOf(error)))
  return cause?.[0] === damage
}

/** Returns the error to throw if the store cannot be opened. Explains known causes to the operator. */
export function unavailable(error: unknown, folder: string): StoreUnavailableError {
  if (error instanceof StoreUnavailableError) return error
  const message = messageOf(error)
  const explain = causes.find(([pattern]) => pattern.test(message))?.[1]
  const sentence =
    explain?.(folder) ??
    `The store in ${folder} cannot be opened: fix the problem, or point SIXPANE_DATA at another folder`
  return new StoreUnavailableError(`${sentence} (${message.split('\n', 1)[0]})`, { cause: error })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
