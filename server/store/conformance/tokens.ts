import type { Test } from 'tap'
import { type MakeLocation, noonMs, openStore } from './testing.ts'

/** Tests the tokens that clients send instead of the password. */
export async function tokens(t: Test, make: MakeLocation): Promise<void> {
  await t.test('lists tokens in order of creation, even after reopening', async t => {
    const location = make(t)
    const first = await location.open()
    await first.tokens.add({ id: 't2', name: 'shop', createdMs: noonMs + 1 }, 'hash of shop')
    await first.tokens.add({ id: 't1', name: 'warehouse', createdMs: noonMs }, 'hash of warehouse')
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    t.same(await store.tokens.list(), [
      { id: 't1', name: 'warehouse', createdMs: noonMs, hash: 'hash of warehouse' },
      { id: 't2', name: 'shop', createdMs: noonMs + 1, hash: 'hash of shop' },
    ])
    t.equal(await store.tokens.has('hash of shop'), true)
    t.equal(await store.tokens.has('hash of warehouse'), true)
    t.same(await store.tokens.hashes(), new Set(['hash of warehouse', 'hash of shop']))
    t.equal(await store.tokens.has('hash of nobody'), false)
    t.equal(await store.tokens.has(''), false)
  })

  await t.test('accepts a token until it is removed', async t => {
    const { tokens } = await openStore(t, make)
    t.equal(await tokens.has('hash'), false)
    await tokens.add({ id: 't1', name: 'shop', createdMs: noonMs }, 'hash')
    t.equal(await tokens.has('hash'), true)
    await tokens.remove('no such')
    t.equal(await tokens.has('hash'), true)
    await tokens.remove('t1')
    t.equal(await tokens.has('hash'), false)
    t.same(await tokens.list(), [])
  })
}
