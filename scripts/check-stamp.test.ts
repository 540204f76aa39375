import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { hashSources } from './check-stamp.ts'

const sources = {
  client: { 'sdk.ts': 'a', 'sdk.test.ts': 'b', parts: { 'sender.ts': 'c' } },
  server: { 'main.ts': 'd' },
}
const hash = (clone: string) => hashSources(clone, ['client', 'server'])

t.test('clones in different folders have the same hash', async t => {
  const folder = t.testdir({ one: sources })
  cpSync(join(folder, 'one'), join(folder, 'other'), { recursive: true })
  t.equal(await hash(join(folder, 'one')), await hash(join(folder, 'other')))
})

t.test('changing, adding, moving or removing a source changes the hash', async t => {
  const folder = t.testdir(sources)
  const changes = [
    () => writeFileSync(join(folder, 'client', 'parts', 'sender.ts'), 'changed'),
    () => writeFileSync(join(folder, 'server', 'new.ts'), ''),
    () => renameSync(join(folder, 'client', 'sdk.ts'), join(folder, 'server', 'sdk.ts')),
    () => rmSync(join(folder, 'server', 'main.ts')),
  ]
  const seen = new Set([await hash(folder)])
  for (const [index, change] of changes.entries()) {
    change()
    seen.add(await hash(folder))
    t.equal(seen.size, index + 2)
  }
})

t.test('changed unit tests and their helpers do not change the hash', async t => {
  const folder = t.testdir({ ...sources, client: { ...sources.client, testing: { 'until.ts': 'e' } } })
  const before = await hash(folder)
  writeFileSync(join(folder, 'client', 'sdk.test.ts'), 'changed')
  writeFileSync(join(folder, 'client', 'testing', 'until.ts'), 'changed')
  t.equal(await hash(folder), before)
})
