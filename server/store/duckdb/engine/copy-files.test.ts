import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { copyOpenDatabase } from './copy-files.ts'

t.test('a failed copy of an open file does not close its descriptor', async t => {
  const content = 'events'.repeat(100_000)
  const folder = t.testdir({ 'a.duckdb': content, 'a.duckdb.wal': 'log', copy: {} })
  const [path, copy] = [join(folder, 'a.duckdb'), join(folder, 'copy')]
  const descriptor = openSync(path, 'r')
  t.teardown(() => closeSync(descriptor))
  await t.rejects(copyOpenDatabase(descriptor, path, join(folder, 'missing')), { code: 'ENOENT' })
  for (const attempt of ['first', 'second']) {
    await copyOpenDatabase(descriptor, path, copy)
    t.ok(readFileSync(join(copy, 'a.duckdb'), 'utf8') === content, attempt)
  }
  t.equal(readFileSync(join(copy, 'a.duckdb.wal'), 'utf8'), 'log')
})
