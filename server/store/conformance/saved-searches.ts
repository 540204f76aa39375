import type { Test } from 'tap'
import { type MakeLocation, noonMs, openStore } from './testing.ts'

/** Tests saved searches. */
export async function savedSearches(t: Test, make: MakeLocation): Promise<void> {
  await t.test('stores one search per name, even after reopening', async t => {
    const location = make(t)
    const first = await location.open()
    const search = { id: 's1', name: 'slow', view: 'q=duration%3A%3E500', createdMs: noonMs }
    await first.savedSearches.save(search)
    await first.savedSearches.save({ ...search, id: 's2', name: 'Errors', view: 'q=severity%3Aerror' })
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    t.same(
      (await store.savedSearches.list()).map(({ name }) => name),
      ['Errors', 'slow'],
    )
    await store.savedSearches.save({ ...search, id: 's3', view: 'q=other' })
    t.same(await store.savedSearches.list(), [
      { ...search, id: 's2', name: 'Errors', view: 'q=severity%3Aerror' },
      { ...search, id: 's3', view: 'q=other' },
    ])
  })

  await t.test('removes a search and ignores an unknown id', async t => {
    const { savedSearches } = await openStore(t, make)
    await savedSearches.save({ id: 's1', name: 'slow', view: '', createdMs: noonMs })
    await savedSearches.remove('no such')
    t.equal((await savedSearches.list()).length, 1)
    await savedSearches.remove('s1')
    t.same(await savedSearches.list(), [])
  })
}
