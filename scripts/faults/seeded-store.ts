import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const seed = fileURLToPath(new URL('../bench/seed.ts', import.meta.url))

/** Runs `work` with a temporary folder, which contains a store with synthetic events if `events` is greater than 0. */
export async function withStore<T>(events: number, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-faults-'))
  try {
    if (events > 0) {
      await promisify(execFile)(process.execPath, ['--import=tsx', seed, folder, String(events)])
    }
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
