import type { Test } from 'tap'
import type { Token } from '../token-store.ts'
import { type MakeLocation, noonMs, openStore } from './testing.ts'

const shop: Token = {
  id: 't2',
  name: 'shop',
  createdMs: noonMs + 1,
  scopes: ['ingest', 'source-maps'],
  services: null,
  expiresMs: null,
}
const warehouse: Token = {
  id: 't1',
  name: 'warehouse',
  createdMs: noonMs,
  scopes: ['read'],
  services: ['“stock”', 'b,c'],
  expiresMs: noonMs + 2,
}

/** Tests the tokens that clients send instead of the password. */
export async function tokens(t: Test, make: MakeLocation): Promise<void> {
  await t.test('lists tokens in order of creation, even after reopening', async t => {
    const location = make(t)
    const first = await location.open()
    await first.tokens.add(shop, 'hash of shop')
    await first.tokens.add(warehouse, 'hash of warehouse')
    await first.close()
    const store = await location.open()
    t.teardown(() => store.close())
    const stored = [
      { ...warehouse, hash: 'hash of warehouse', usedMs: null },
      { ...shop, hash: 'hash of shop', usedMs: null },
    ]
    t.same(await store.tokens.list(), stored)
    t.same([...(await store.tokens.byHash()).values()], stored)
    t.notOk((await store.tokens.byHash()).has('hash of nobody'))
  })

  await t.test('accepts a token until it is removed', async t => {
    const { tokens } = await openStore(t, make)
    const isStored = async () => (await tokens.byHash()).has('hash')
    t.equal(await isStored(), false)
    await tokens.add(warehouse, 'hash')
    t.equal(await isStored(), true)
    await tokens.remove('no such')
    t.equal(await isStored(), true)
    await tokens.remove('t1')
    t.equal(await isStored(), false)
    t.same(await tokens.list(), [])
  })

  await t.test('stores when tokens were last used', async t => {
    const { tokens } = await openStore(t, make)
    await tokens.add(shop, 'a')
    await tokens.add(warehouse, 'b')
    await tokens.recordUse(new Map([['t2', noonMs + 5]]))
    await tokens.recordUse(
      new Map([
        ['t2', noonMs + 6],
        ['removed', noonMs],
      ]),
    )
    t.match(await tokens.list(), [
      { id: 't1', usedMs: null },
      { id: 't2', usedMs: noonMs + 6 },
    ])
  })

  await t.test('an earlier use does not replace a later one', async t => {
    const { tokens } = await openStore(t, make)
    await tokens.add(shop, 'a')
    await tokens.recordUse(new Map([['t2', noonMs + 6]]))
    await tokens.recordUse(new Map([['t2', noonMs + 5]]))
    t.match(await tokens.list(), [{ id: 't2', usedMs: noonMs + 6 }])
  })
}
