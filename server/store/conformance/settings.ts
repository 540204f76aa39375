import type { Test } from 'tap'
import { type MakeLocation, noonMs, openStore } from './testing.ts'

/** Tests the settings that users change. */
export async function settings(t: Test, make: MakeLocation): Promise<void> {
  await t.test('stores one value per name, even after reopening', async t => {
    const location = make(t)
    const first = await location.open()
    t.same(await first.settings.list(), [])
    await first.settings.save([{ name: 'level', value: 'debug' }], noonMs)
    await first.settings.save(
      [
        { name: 'level', value: 'warn' },
        { name: 'days', value: '7' },
      ],
      noonMs + 1,
    )
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    t.same(await store.settings.list(), [
      { name: 'days', value: '7', changedMs: noonMs + 1 },
      { name: 'level', value: 'warn', changedMs: noonMs + 1 },
    ])
  })

  await t.test('saving null deletes a setting, but saving empty text does not', async t => {
    const { settings } = await openStore(t, make)
    await settings.save([{ name: 'paths', value: '' }], noonMs)
    t.match(await settings.list(), [{ name: 'paths', value: '' }])
    await settings.save(
      [
        { name: 'paths', value: null },
        { name: 'no such', value: null },
      ],
      noonMs,
    )
    t.same(await settings.list(), [])
  })
}
