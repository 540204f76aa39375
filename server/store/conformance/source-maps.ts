import type { Test } from 'tap'
import type { NewSourceMap } from '../source-map-store.ts'
import { type MakeLocation, noonMs, openStore } from './testing.ts'

function aMap(overrides: Partial<NewSourceMap> = {}): NewSourceMap {
  return {
    id: 'm1',
    release: '1.4.2',
    path: 'static/main.js',
    debugId: null,
    service: null,
    uploadedMs: noonMs,
    ...overrides,
  }
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** Tests uploaded source maps. */
export async function sourceMaps(t: Test, make: MakeLocation): Promise<void> {
  await t.test('stores each map once, and reads any part of the map, even after reopening', async t => {
    const location = make(t)
    const first = await location.open()
    t.same(await first.sourceMaps.list(), [])
    const put = (map: NewSourceMap, content: Uint8Array) => first.sourceMaps.put(map, content, 100)
    t.same(await put(aMap(), bytes('0123456789')), { isNew: true, deleted: [] })
    t.same(await put(aMap({ release: 'ä😀"' }), bytes('other')), { isNew: false, deleted: [] })
    const second = aMap({
      id: 'm-2_',
      release: 'ä😀"',
      debugId: 'b1',
      service: "ä😀'",
      uploadedMs: noonMs + 1,
    })
    t.match(await put(second, new Uint8Array([0, 255, 128])), { isNew: true })
    await first.close()
    const { sourceMaps, close } = await location.open()
    t.teardown(close)
    t.same(await sourceMaps.list(), [
      { ...aMap(), sizeBytes: 10, isApplied: false },
      { ...second, sizeBytes: 3, isApplied: false },
    ])
    const text = async (start: number, length: number) =>
      new TextDecoder().decode((await sourceMaps.read('m1', start, length)) ?? undefined)
    t.equal(await text(0, 10), '0123456789')
    t.equal(await text(3, 2), '34')
    t.equal(await text(8, 100), '89')
    t.equal(await text(10, 1), '')
    t.equal(await text(99, 1), '')
    t.same(await sourceMaps.read('m-2_', 0, 3), new Uint8Array([0, 255, 128]))
    t.equal(await sourceMaps.read('unknown', 0, 1), null)
    await sourceMaps.markApplied(['m1', 'unknown'])
    t.same(
      (await sourceMaps.list()).map(({ isApplied }) => isApplied),
      [true, false],
    )
  })

  await t.test('uploading a map again postpones its deletion', async t => {
    const { sourceMaps } = await openStore(t, make)
    const put = (id: string, uploadedMs: number) =>
      sourceMaps.put(aMap({ id, uploadedMs }), new Uint8Array(40), 100)
    await put('a', noonMs)
    await put('b', noonMs + 1)
    await sourceMaps.markApplied(['a'])
    t.same(await put('a', noonMs + 2), { isNew: false, deleted: [] })
    t.match(await sourceMaps.list(), [
      { id: 'b', isApplied: false },
      { id: 'a', isApplied: true, uploadedMs: noonMs + 2 },
    ])
    t.match(await put('c', noonMs + 3), { deleted: [{ id: 'b' }] })
  })

  await t.test('deletes the oldest maps if the limit is exceeded, but never the newest', async t => {
    const { sourceMaps } = await openStore(t, make)
    const storedIds = async () => (await sourceMaps.list()).map(({ id }) => id)
    const put = (id: string, uploadedMs = noonMs, sizeBytes = 40) =>
      sourceMaps.put(aMap({ id, uploadedMs }), new Uint8Array(sizeBytes), 100)
    await put('a')
    t.match(await put('b', noonMs + 1), { deleted: [] })
    t.same(await put('c', noonMs + 2), {
      isNew: true,
      deleted: [{ ...aMap({ id: 'a' }), sizeBytes: 40, isApplied: false }],
    })
    t.same(await storedIds(), ['b', 'c'])
    t.equal(await sourceMaps.read('a', 0, 1), null)
    t.equal((await sourceMaps.read('b', 0, 40))?.length, 40)
    t.match(await put('d', noonMs - 1, 400), { deleted: [{ id: 'b' }, { id: 'c' }] })
    t.same(await storedIds(), ['d'])
    await Promise.all(['e', 'f', 'f', 'g'].map(id => put(id)))
    t.equal((await storedIds()).length, 2)
  })
}
