/** `sixpane restore FILE`: checks a backup, and restores it into the empty folder SIXPANE_DATA. */
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { formatCount, pluralise } from '../shared/format.ts'
import { extractBackup } from './backup/extract-backup.ts'
import { BackupError } from './backup/manifest.ts'
import { ConfigError, readConfig } from './settings/config.ts'
import { DamagedFileError } from './store/duckdb/engine/damaged-file.ts'
import { isDamage } from './store/duckdb/engine/unavailable.ts'
import { inspectStore } from './store/duckdb/inspect.ts'
import { restoringFolder } from './store/duckdb/restoring.ts'
import { openDuckDbStore } from './store/duckdb/store.ts'
import { volumeFolder } from './store/duckdb/volume-folder.ts'
import { workspaceFile } from './store/duckdb/workspace/workspace.ts'
import { StoreUnavailableError } from './store/store.ts'

try {
  process.umask(0o077)
  const [file, ...more] = process.argv.slice(2)
  if (file === undefined || more.length > 0) throw new Error('usage: sixpane restore FILE')
  const { SIXPANE_DATA, SIXPANE_STORE, SIXPANE_STORE_FILE } = process.env
  const { dataFolder, storeAddress } = readConfig({ SIXPANE_DATA, SIXPANE_STORE, SIXPANE_STORE_FILE })
  if (storeAddress !== null)
    throw new BackupError(
      'it is a backup of a data folder, but SIXPANE_STORE is set. Restore the ClickHouse database with its own tools, or remove SIXPANE_STORE to restore the data folder',
    )
  const { events, createdMs, damagedFiles } = await restore(file, dataFolder)
  const time = new Date(createdMs).toISOString()
  process.stdout.write(`Restored ${pluralise(events, 'event')} to ${dataFolder}, as they were at ${time}\n`)
  // A damaged file is not a reason to refuse, because this may be the only backup.
  if (damagedFiles.length > 0) {
    process.stderr.write(
      `Sixpane: the backup contains damaged files: ${damagedFiles.join(', ')}. Sixpane has set aside those in damaged/, and sets aside the others when it reads the damaged part. Further files may be damaged. If possible, restore an earlier backup\n`,
    )
    process.exitCode = 1
  }
} catch (error) {
  process.stderr.write(`Sixpane: ${explain(error)}\n`)
  process.exitCode = 1
}

/** Extracts and opens the backup in a folder inside the target, so that a failed restore leaves the target empty. */
async function restore(file: string, target: string) {
  if (!(await stat(file).catch(() => null))?.isFile()) throw new BackupError(`${file} is not a file`)
  await mkdir(target, { recursive: true })
  const folder = join(target, restoringFolder)
  if ((await readdir(target)).some(name => name !== restoringFolder && name !== volumeFolder))
    throw new BackupError(
      `${target} is not empty. Move its files away, or set SIXPANE_DATA to another folder`,
    )
  // An interrupted restore leaves the folder behind.
  await rm(folder, { recursive: true, force: true })
  const restored = await extractTo(folder, file).catch(async error => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  await moveFiles(folder, target)
  await rm(folder, { recursive: true, force: true })
  return restored
}

/** Extracts the backup to a new folder, and reads the store in it. */
async function extractTo(folder: string, file: string) {
  await mkdir(folder)
  const { createdMs, events: expected } = await extractBackup(createReadStream(file), folder)
  const store = await openDuckDbStore({ folder, preparesSegments: false }).catch((error: unknown) => {
    // Files with events are set aside, so this is the workspace.
    if (error instanceof StoreUnavailableError && isDamage(error.cause))
      throw new BackupError(`its ${workspaceFile} is damaged. Restore an earlier backup`, { cause: error })
    throw error
  })
  const { events, damagedFiles: moved } = await store.stats()
  await store.check()
  await store.close()
  if (events !== expected && moved.length === 0)
    throw new BackupError(`it contains ${pluralise(events, 'event')} instead of ${formatCount(expected)}`)
  const damagedFiles = [...moved, ...(await damagedFileIn(folder))]
  return { createdMs, events, damagedFiles }
}

/** Reads the whole store. Returns the name of the first damaged file, if any. */
async function damagedFileIn(folder: string): Promise<string[]> {
  try {
    await inspectStore(folder)
    return []
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    if (cause instanceof DamagedFileError) return [basename(cause.path)]
    throw error
  }
}

/** Moves the workspace last: see `restoringFolder`. */
async function moveFiles(folder: string, target: string): Promise<void> {
  const others = (await readdir(folder)).filter(name => name !== workspaceFile)
  for (const name of [...others, workspaceFile]) await rename(join(folder, name), join(target, name))
}

function explain(error: unknown): string {
  if (error instanceof BackupError) return `the backup cannot be restored: ${error.message}`
  if (error instanceof ConfigError || error instanceof StoreUnavailableError) return error.message
  return error instanceof Error ? error.message : String(error)
}
