import { rm, stat } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { literal } from './instance.ts'
import { type Migrations, migrate } from './migrations.ts'

/** Attaches a file of the store under a name, made where it is missing, and brings it to its newest layout. */
export async function attach(
  connection: DuckDBConnection,
  path: string,
  name: string,
  layout: Migrations,
): Promise<void> {
  const attachment = `ATTACH ${literal(path)} AS ${name}`
  await connection.run(attachment).catch(async error => {
    if (!(await isUnfinished(path, error))) throw error
    await removeFiles(path)
    await connection.run(attachment)
  })
  await migrate(connection, name, layout)
}

/**
 * A file without its three headers of 4 KiB was being made when the process was killed: it never held anything.
 * Whoever makes a file holds its lock already, so that one is not taken for it.
 */
async function isUnfinished(path: string, error: unknown): Promise<boolean> {
  const isLocked = error instanceof Error && /lock/i.test(error.message)
  const { size } = await stat(path).catch(() => ({ size: Number.POSITIVE_INFINITY }))
  return !isLocked && size < 3 * 4096
}

/** Folds the log of an attached file into it, so that the next opening has none to read, and lets go of it. */
export async function detach(connection: DuckDBConnection, name: string): Promise<void> {
  await connection.run(`CHECKPOINT ${name}`)
  await connection.run(`DETACH ${name}`)
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

function filesOf(path: string): string[] {
  return [path, `${path}.wal`]
}
