import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errorCode } from '../../../../shared/error-code.ts'
import { withLogOf } from './attach.ts'

/** Copies a database file and its write-ahead log. Nothing may write to the database in the meantime. */
export async function copyDatabase(path: string, folder: string): Promise<void> {
  for (const file of withLogOf(path)) await copyIfPresent(file, join(folder, basename(file)))
}

/** Copies a folder of files that never change. Files that are deleted in the meantime are omitted. */
export async function copyFolder(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(() => [])
  if (names.length > 0) await mkdir(to)
  for (const name of names) await copyIfPresent(join(from, name), join(to, name))
}

/** On copy-on-write file systems, both files share their blocks until one of the files changes. */
async function copyIfPresent(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch(error => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
}
