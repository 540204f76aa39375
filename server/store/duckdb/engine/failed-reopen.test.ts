import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Store } from '../../store.ts'
import { openDuckDbStore } from '../store.ts'

const megabyte = 1_000_000
/** With this memory limit, DuckDB merges its log into the file when the log reaches 16 MiB. */
const memoryBytes = 128 * 1024 ** 2

/** Limits the size of the files that this process writes: setrlimit(2), RLIMIT_FSIZE. */
function limitFileSize(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
}

async function saveSetting(store: Store, name: string, sizeBytes: number): Promise<void> {
  const value = randomBytes(sizeBytes / 2).toString('hex')
  await store.settings.save([{ name, value }], 1)
}

t.test(
  'close resolves even if an earlier attempt to reopen the store failed',
  { skip: process.platform !== 'linux' && 'needs prlimit(1)' },
  async t => {
    const folder = t.testdir()
    const store = await openDuckDbStore({ folder, memoryBytes })
    await saveSetting(store, '1', 17 * megabyte)

    // The next commit makes DuckDB write the 17 MB log into the file, which would exceed the limit.
    const ignoreSignal = () => {}
    process.on('SIGXFSZ', ignoreSignal)
    t.teardown(() => process.off('SIGXFSZ', ignoreSignal))
    limitFileSize(17.5 * megabyte)
    t.teardown(() => limitFileSize('unlimited'))
    // A folder in place of a segment prevents reopening.
    const obstacle = join(folder, 'events-9999999999999999.duckdb')
    mkdirSync(obstacle)
    await t.rejects(saveSetting(store, '2', megabyte), /events-9999999999999999/)
    await store.close()

    limitFileSize('unlimited')
    rmdirSync(obstacle)
    const reopened = await openDuckDbStore({ folder })
    t.same(
      (await reopened.settings.list()).map(({ name }) => name),
      ['1'],
    )
    await reopened.close()
  },
)
