import { rm, stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { literal } from './engine.ts'
import { isCheckpointFailure } from './engine-errors.ts'
import { type Migrations, migrate } from './migrate.ts'

/** Attaches a store file as `name`, creates it if it is missing, and migrates it to the newest layout. */
export async function attach(
  connection: DuckDBConnection,
  path: string,
  name: string,
  layout: Migrations,
): Promise<FileIdentity> {
  const attachment = `ATTACH ${literal(path)} AS ${name}`
  await throwIfLogWithoutFile(path)
  await connection.run(attachment).catch(async error => {
    if (!(await isUnfinished(path, error))) throw error
    await removeFiles(path)
    await connection.run(attachment)
  })
  await migrate(connection, name, layout)
  return identityOf(path)
}

/** The engine writes a file's three 4 KiB headers before it creates a log. */
const headerBytes = 3 * 4096

/**
 * Throws if a file is missing or truncated, but its write-ahead log contains data. The engine would delete such a log,
 * including acknowledged events, when it attaches the path.
 */
export async function throwIfLogWithoutFile(path: string): Promise<void> {
  const [file, log] = await Promise.all([path, walOf(path)].map(sizeOf))
  if ((file ?? 0) < headerBytes && log !== undefined && log > 0)
    throw new Error('corrupt: the file is missing or truncated, but its log exists')
}

/**
 * Whether a process was killed while it was creating the file. Such a file contains no events. If the file is locked,
 * another process is still creating it.
 */
export async function isUnfinished(path: string, error: unknown): Promise<boolean> {
  const isLocked = error instanceof Error && /lock/i.test(error.message)
  const [file, log] = await Promise.all([path, walOf(path)].map(sizeOf))
  return !isLocked && file !== undefined && file < headerBytes && !log
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

/** Distinguishes a file from another file that replaced it at the same path. */
export type FileIdentity = { device: number; inode: number }

async function identityOf(path: string): Promise<FileIdentity> {
  const { dev, ino } = await stat(path)
  return { device: dev, inode: ino }
}

/**
 * Whether an attached file was deleted, moved or replaced. The engine does not notice: it continues to write to the file
 * that it opened, but the next start cannot find that file.
 */
export async function isMissing({
  path,
  identity,
}: {
  path: string
  identity: FileIdentity
}): Promise<boolean> {
  const current = await identityOf(path).catch(() => null)
  return current === null || current.inode !== identity.inode || current.device !== identity.device
}

/**
 * Merges the log of an attached file into the file, so the next start does not have to replay it. Closes both. If the disk
 * is full, the events stay in the log until the next start.
 */
export async function detach(connection: DuckDBConnection, name: string): Promise<void> {
  await connection.run(`CHECKPOINT ${name}`).catch(ignoreFailedCheckpoint)
  await connection.run(`DETACH ${name}`).catch(ignoreFailedCheckpoint)
}

export function ignoreFailedCheckpoint(error: unknown): void {
  if (!isCheckpointFailure(error)) throw error
}

/**
 * The size of a store file and its log on disk. Never opens the file: closing it again would release the engine's lock
 * (fcntl(2), "Advisory record locking").
 */
export async function diskBytes({ path }: { path: string }): Promise<number> {
  const sizes = await Promise.all(
    withLogOf(path).map(file =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * Deletes a store file and its log. Deletes the log first, because if the process is killed in between, a log without its
 * file would be reported as damage.
 */
export async function removeFiles(path: string): Promise<void> {
  for (const file of withLogOf(path).reverse()) await rm(file, { force: true })
}

export function walOf(path: string): string {
  return `${path}.wal`
}

/** The paths of a store file and its write-ahead log. */
export function withLogOf(path: string): string[] {
  return [path, walOf(path)]
}
