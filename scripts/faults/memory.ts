import { readFile } from 'node:fs/promises'
import type { StartedServer } from '../test/server.ts'

/** Returns a server's current and peak resident memory in megabytes. Requires /proc. */
export async function residentMb({
  process: { pid },
}: StartedServer): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (key: string) =>
    Math.round(Number(new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024)
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}
