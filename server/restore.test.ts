/** Tests how the built `sixpane restore` treats a backup of damaged files. `routes/backup.test.ts` tests the rest. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { create } from 'tar'
import { describeFolder, manifestName } from './backup/manifest.ts'
import { folderWithBlocks } from './copy/testing.ts'
import { damageBlocks } from './store/duckdb/engine/testing.ts'

const program = join(import.meta.dirname, '..', 'dist', 'server', 'restore.js')

/**
 * Damages the segment of a store before its backup, and restores the backup.
 * @param file damages this file instead of the segment
 */
async function restoreDamaged(t: Test, damage: (segment: string) => void, file?: string) {
  const dir = t.testdir({ data: {}, restored: {} })
  const data = join(dir, 'data')
  const restored = join(dir, 'restored')
  const events = await folderWithBlocks(data)
  const segment = file === undefined ? events : join(data, file)
  damage(segment)
  const manifest = await describeFolder(data, { version: '1', createdMs: 0, events: 20_000 })
  writeFileSync(join(data, manifestName), JSON.stringify(manifest))
  const backup = join(dir, 'backup.tar')
  await create({ cwd: data, file: backup }, readdirSync(data))
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, backup], {
    env: { PATH: process.env.PATH, SIXPANE_DATA: restored },
    encoding: 'utf8',
  })
  t.equal(status, 1)
  t.match(stderr, /^Sixpane: .*damaged/)
  t.match(stderr, basename(segment))
  return { segment, restored, stdout, stderr }
}

t.test('restores a file with a damaged block, and warns about it', async t => {
  const { segment, restored, stdout } = await restoreDamaged(t, damageBlocks)
  t.match(stdout, /^Restored 20,000 events to /)
  t.same(readFileSync(join(restored, basename(segment))), readFileSync(segment))
})

t.test('sets a file that cannot be opened aside, and warns about it', async t => {
  const { segment, restored, stdout } = await restoreDamaged(t, damageStart)
  t.match(stdout, /^Restored 0 events to /)
  const [time = ''] = readdirSync(join(restored, 'damaged'))
  t.same(readFileSync(join(restored, 'damaged', time, basename(segment))), readFileSync(segment))
})

t.test('does not restore a workspace that cannot be opened', async t => {
  const { restored, stderr } = await restoreDamaged(t, damageStart, 'workspace.duckdb')
  t.match(
    stderr,
    /the backup cannot be restored: its workspace\.duckdb is damaged\. Restore an earlier backup/,
  )
  t.same(readdirSync(restored), [])
})

function damageStart(path: string): void {
  writeFileSync(path, readFileSync(path).fill(255, 4096, 12_288))
}
