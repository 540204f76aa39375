import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `work` with a temporary folder. If `events` is greater than 0, the folder contains a store with that many synthetic
 * events.
 */
export async function withStore<T>(events: number, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-faults-'))
  try {
    if (events > 0) {
      // Imported on demand, because in a short run, loading the store takes longer than most checks.
      const { fillStore } = await import('../bench/fill-store.ts')
      await fillStore(folder, events)
    }
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
