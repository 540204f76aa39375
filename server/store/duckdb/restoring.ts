import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreUnavailableError } from '../store.ts'
import { workspaceFile } from './workspace/workspace.ts'

/**
 * `sixpane restore` extracts a backup to this folder inside the data folder, and then moves the files to the data folder. It
 * moves the workspace last, so a restore that was interrupted leaves no workspace in the data folder.
 */
export const restoringFolder = 'restoring'

/**
 * Without this check, a store without a workspace would get a new one, and would lack the tokens, settings and notes in the
 * backup.
 * @throws StoreUnavailableError if a restore to the folder has not finished
 */
export async function throwIfRestoring(folder: string): Promise<void> {
  const hasWorkspace = (await namesIn(folder)).includes(workspaceFile)
  if (hasWorkspace || (await namesIn(join(folder, restoringFolder))).length === 0) return
  throw new StoreUnavailableError(
    `A backup was not completely restored to ${folder}: wait until the restore ends or, if it was interrupted, move the files in this folder away and restore the backup again`,
  )
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
