import { rm, stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { literal } from './engine.ts'
import { isCheckpointFailure } from './engine-errors.ts'
import { type Migrations, migrate } from './migrations.ts'

/** Attaches a file of the store under a name, creates it where it is missing, and migrates it to the newest layout. */
export async function attach(
  connection: DuckDBConnection,
  path: string,
  name: string,
  layout: Migrations,
): Promise<FileIdentity> {
  const attachment = `ATTACH ${literal(path)} AS ${name}`
  if (await isLogWithoutFile(path))
    throw new Error('corrupt: the file is cut short or missing, its log is not')
  await connection.run(attachment).catch(async error => {
    if (!(await isUnfinished(path, error))) throw error
    await removeFiles(path)
    await connection.run(attachment)
  })
  await migrate(connection, name, layout)
  return identityOf(path)
}

/** A file has three headers of 4 KiB before it has a log. */
const headerBytes = 3 * 4096

/**
 * Whether a write-ahead log has no file that it can belong to. The engine would delete such a log, and the
 * acknowledged events in it, when it attaches the path.
 */
async function isLogWithoutFile(path: string): Promise<boolean> {
  const [file, log] = await Promise.all([path, walOf(path)].map(sizeOf))
  return (file ?? 0) < headerBytes && log !== undefined && log > 0
}

/**
 * Whether the process was killed while it created the file, which then has no event in it. A locked file belongs to
 * the process that is creating it.
 */
async function isUnfinished(path: string, error: unknown): Promise<boolean> {
  const isLocked = error instanceof Error && /lock/i.test(error.message)
  const [file, log] = await Promise.all([path, walOf(path)].map(sizeOf))
  return !isLocked && file !== undefined && file < headerBytes && !log
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

/** Tells a file from another one at the same path. */
export type FileIdentity = { device: number; inode: number }

async function identityOf(path: string): Promise<FileIdentity> {
  const { dev, ino } = await stat(path)
  return { device: dev, inode: ino }
}

/**
 * Whether an attached file was deleted, moved or replaced. The engine does not notice: it goes on writing to the
 * file that it opened, which no later start will find.
 */
export async function isGone({ path, identity }: { path: string; identity: FileIdentity }): Promise<boolean> {
  const now = await identityOf(path).catch(() => null)
  return now === null || now.inode !== identity.inode || now.device !== identity.device
}

/**
 * Writes the log of an attached file into the file, so that the next start has no log to read, and closes both.
 * Without space for that the events stay in the log, where the next start finds them.
 */
export async function detach(connection: DuckDBConnection, name: string): Promise<void> {
  await connection.run(`CHECKPOINT ${name}`).catch(ignoreFailedCheckpoint)
  await connection.run(`DETACH ${name}`).catch(ignoreFailedCheckpoint)
}

function ignoreFailedCheckpoint(error: unknown): void {
  if (!isCheckpointFailure(error)) throw error
}

/**
 * Bytes on disk of a file of the store and its log. Only ever asks the file system: opening and closing the file in
 * this process would let go of the engine's lock on it (fcntl(2), "Advisory record locking").
 */
export async function diskBytes({ path }: { path: string }): Promise<number> {
  const sizes = await Promise.all(
    filesOf(path).map(file =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

export async function removeFiles(path: string): Promise<void> {
  for (const file of filesOf(path)) await rm(file, { force: true })
}

function walOf(path: string): string {
  return `${path}.wal`
}

export function filesOf(path: string): string[] {
  return [path, walOf(path)]
}
