import { join, name, sql } from '../../common/sql.ts'
import { filesOf, type OpenFiles, throwIfMissing } from './open-files.ts'
import type { Recovery } from './recovery.ts'

const timeoutMs = 5_000

/**
 * Creates a function that checks whether every file can be read. Simultaneous calls share one check. The check fails after
 * five seconds, because the engine does not respond to interrupts while the disk stalls.
 */
export function createFileCheck(
  files: () => OpenFiles,
  recovery: Pick<Recovery, 'retry'>,
): () => Promise<void> {
  let checking: Promise<void> | null = null

  const readEveryFile = async (signal: AbortSignal) => {
    await throwIfMissing(filesOf(files()))
    await recovery.retry(() => {
      const { probe, segments } = files()
      const tables = segments.all().map(segment => sql`SELECT version FROM ${name(segment.name)}.layout`)
      const all = join([...tables, sql`SELECT version FROM workspace.layout`], ' UNION ALL ')
      return probe(sql`SELECT count(*) FROM (${all})`, signal)
    })
  }
  const checkInTime = () => {
    const signal = AbortSignal.timeout(timeoutMs)
    return new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      readEveryFile(signal).then(resolve, reject)
    })
  }

  return () => {
    checking ??= checkInTime().finally(() => {
      checking = null
    })
    return checking
  }
}
