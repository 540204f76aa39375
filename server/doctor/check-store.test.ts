import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { checkStore } from './check-store.ts'

t.test('reports the other findings even if the size of the data folder cannot be read', async t => {
  const folder = t.testdir({ damaged: { 'events.duckdb': '' } })
  const long = (letter: string) => letter.repeat(250)
  await mkdir(join(folder, long('a'), long('b')), { recursive: true })
  // Through the links, the path of the inner folder exceeds the limit of the file system.
  await symlink('.', join(folder, long('l')))
  const dataFolder = join(folder, ...Array.from({ length: 14 }, () => long('l')))
  t.match(await checkStore({ dataFolder, retentionGigabytes: 0.01 }, true, 0), [
    { check: 'Store', level: 'warning', text: /^Damaged files were set aside/ },
    { check: 'Disk', level: 'warning', text: /retention was not compared with the disk: ENAMETOOLONG/ },
  ])
})
