import t from 'tap'
import { noonMs } from '../store/conformance/testing.ts'
import { fill } from '../store/duckdb/fixtures/contents.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import type { SharedState } from '../store/transfer-store.ts'
import { copyState } from './copy-state.ts'

/** All entries except undos, source maps and the entry that identifies the last copy. */
function contents(state: SharedState): Record<string, unknown[]> {
  const collections = Object.entries(state).filter(([name]) => name !== 'undos' && name !== 'sourceMaps')
  return Object.fromEntries(
    collections.map(([name, map]) => [name, [...map].filter(([key]) => key !== 'copy')]),
  )
}

const token = (id: string) =>
  ({ id, name: id, createdMs: 1, scopes: ['ingest'], services: null, expiresMs: null }) as const
const search = (id: string) => ({ id, name: id, view: '', createdMs: noonMs })

t.test('copies everything, then only changes, including deletions', async t => {
  const [source, target] = [openMemoryStore(), openMemoryStore()]
  await fill(source)
  const first = await copyState(source, target)
  t.ok(first.changed > 20)
  t.same(await target.sharedState(contents), await source.sharedState(contents))
  t.same(await copyState(source, target), { changed: 0, onlyInTarget: {} })

  await source.tokens.remove('token1')
  await source.savedSearches.save(search('new'))
  await source.failureStates.setState('f00dfeed02', 'open', noonMs)
  t.same(await copyState(source, target), { changed: 3, onlyInTarget: {} })
  t.same(await target.tokens.list(), [], 'a removed token is no longer valid')
  t.same(await target.sharedState(contents), await source.sharedState(contents))
})

t.test('deletes entries in a DuckDB target even if a source position contains several ids', async t => {
  const source = openMemoryStore()
  await source.sharedState(({ progress }) => progress.set('failures', '4711.4800'))
  await source.tokens.add(token('removed'), 'hash')
  const target = await openDuckDbStore({ folder: t.testdir(), preparesSegments: false })
  t.teardown(target.close)
  t.same(await copyState(source, target), { changed: 2, onlyInTarget: {} })
  t.same(await copyState(source, target), { changed: 0, onlyInTarget: {} })
  await source.tokens.remove('removed')
  t.same(await copyState(source, target), { changed: 1, onlyInTarget: {} })
  t.same(await target.tokens.list(), [])
})

t.test('keeps entries that were added or changed in the target after the copy', async t => {
  const [source, target] = [openMemoryStore(), openMemoryStore()]
  await source.tokens.add(token('both'), 'hash1')
  await source.tokens.add(token('removed in the source'), 'hash2')
  await source.settings.save([{ name: 'a', value: 'source' }], noonMs)
  await source.settings.save([{ name: 'b', value: 'source' }], noonMs)
  await copyState(source, target)

  await target.tokens.add(token('only in the target'), 'hash3')
  await target.settings.save([{ name: 'a', value: 'target' }], noonMs + 5)
  await target.settings.save([{ name: 'b', value: 'target' }], noonMs + 5)
  await source.settings.save([{ name: 'b', value: 'newer' }], noonMs + 10)
  await source.tokens.remove('removed in the source')
  await source.savedSearches.save(search('new'))
  for (const changed of [2, 0, 0]) {
    t.same(await copyState(source, target), { changed, onlyInTarget: { tokens: 2 } })
  }
  t.same(
    (await target.tokens.list()).map(({ id }) => id),
    ['both', 'only in the target', 'removed in the source'],
  )
  t.match(await target.settings.list(), [
    { name: 'a', value: 'target' },
    { name: 'b', value: 'newer' },
  ])
  t.same(await target.savedSearches.list(), [search('new')])
})

t.test('a target that was used before the first copy keeps its entries', async t => {
  const [source, target] = [openMemoryStore(), openMemoryStore()]
  await target.tokens.add(token('own'), 'hash')
  await source.tokens.add(token('copied'), 'hash2')
  t.same(await copyState(source, target), { changed: 1, onlyInTarget: { tokens: 1 } })
  t.same(
    (await target.tokens.list()).map(({ id }) => id),
    ['copied', 'own'],
  )
})
