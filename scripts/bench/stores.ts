import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../prepare/root.mjs'

/** Fills a store with synthetic events, and also writes them to a single table in the DuckDB file `tableFile`, if given. */
export async function seed(folder: string, events: number, tableFile?: string): Promise<string> {
  const args = [folder, String(events), ...(tableFile === undefined ? [] : [tableFile])]
  await promisify(execFile)(process.execPath, ['dist/bench/seed.js', ...args], { cwd: root })
  return folder
}

/** The large store, and a DuckDB file with the same events in one table. */
export type LargeStore = { folder: string; tableFile: string }

/** Returns a function that seeds the large store on its first call. */
export function createLargeStore(
  folder: string,
  events: number,
  report: (text: string) => void,
): () => Promise<LargeStore> {
  const large = { folder: join(folder, 'large'), tableFile: join(folder, 'large.duckdb') }
  let seeded: Promise<string> | null = null
  return async () => {
    if (seeded === null) report(`Seeding ${events.toLocaleString('en')} events`)
    seeded ??= seed(large.folder, events, large.tableFile)
    await seeded
    return large
  }
}

/** Copies a store, because only one process can open it. */
export async function copyStore(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true })
  return to
}
