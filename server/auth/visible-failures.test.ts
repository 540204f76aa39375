import t, { type Test } from 'tap'
import { paths } from '../../shared/paths.ts'
import { createHttpApp } from '../http-app.ts'
import { readConfig } from '../settings/config.ts'
import { send, sixpane } from '../source-maps/testing.ts'
import { allFailures, anEvent } from '../store/conformance/testing.ts'
import { fakeContext } from '../testing/fake-context.ts'

const debugId = '8a5c1f0e-1111-4222-8333-444455556666'
const file = 'https://shop.example/assets/main.js'

const mapOf = (source: string) =>
  Buffer.from(
    JSON.stringify({
      version: 3,
      sources: [`src/${source}.ts`],
      sourcesContent: [`throw new Error('${source}')`],
      mappings: 'AAAA',
    }),
  )

/** Stores one failure of the shop. Returns a function that requests the failure's page as a given user. */
async function setUp(t: Test, release: string, debugIds: Record<string, string> = {}) {
  const console = await sixpane(t)
  const { store, failures, upload } = console
  const path = 'assets/main.js'
  await upload({ release: 'billing-7', path, service: 'billing', debugId, json: mapOf('invoice') })
  await upload({ release: 'shop-2', path, service: 'shop', json: mapOf('cart') })
  const stack = `Error: x\n    at t (${file}:1:1)`
  const exception = { type: 'Error', message: 'x', stack }
  await send(
    console,
    anEvent({ service: 'shop', release, timeMs: Date.now(), exception, attributes: { debugIds } }),
  )
  const config = readConfig({
    SIXPANE_AUTH: 'proxy',
    SIXPANE_TRUST_PROXY: '127.0.0.1',
    SIXPANE_VIEWERS: 'vera,lim=shop',
  })
  const build = { ...fakeContext().build, assetsFolder: t.testdir({ assets: {} }) }
  const app = await createHttpApp(fakeContext({ config, build, store, failures }))
  t.teardown(() => app.close())
  const window = { fromMs: Date.now() - 3_600_000, toMs: Date.now() + 3_600_000 }
  const [failure] = (await store.failures({ ...allFailures, window })).failures
  const url = paths.development({ failure: failure?.id })
  return async (user: string) => (await app.inject({ url, headers: { 'remote-user': user } })).body
}

t.test(
  'a limited viewer sees no source code of another service, even if an event contains the debug id of its file',
  async t => {
    const pageFor = await setUp(t, '1', { [file]: debugId })
    t.match(await pageFor('vera'), /src\/invoice\.ts/)
    t.notMatch(await pageFor('lim'), /invoice|billing/)
  },
)

t.test('a limited viewer sees no names of other services or their releases', async t => {
  const pageFor = await setUp(t, '1')
  t.match(await pageFor('vera'), /stored only for shop-2, billing-7/)
  const page = await pageFor('lim')
  t.match(page, /stored only for shop-2/)
  t.notMatch(page, /billing/)
})

t.test('a limited viewer sees the source code of their services', async t => {
  const pageFor = await setUp(t, 'shop-2')
  t.match(await pageFor('lim'), /src\/cart\.ts/)
})
