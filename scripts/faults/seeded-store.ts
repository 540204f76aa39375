import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const seed = fileURLToPath(new URL('../bench/seed.ts', import.meta.url))

/**
 * Runs `work` with a temporary folder. If `events` is greater than 0, the folder contains a store with that many synthetic
 * events.
 */
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
