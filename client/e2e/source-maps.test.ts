import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { bundleShop, cartSource, type ShopRelease } from '../../server/failures/testing.ts'
import { paths } from '../../shared/paths.ts'
import {
  changesReachAllReplicas,
  expect,
  type OpenedPage,
  serverForFile,
  type TestFixtures,
  test,
} from './fixtures.ts'

const server = serverForFile()

type Shop = { release: ShopRelease; origin: string; script: string; map: Uint8Array }

/** Serves the minified code of a release without its source map. */
async function serveShop(afterTest: TestFixtures['afterTest'], release: ShopRelease): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-shop-'))
  afterTest(() => rm(folder, { recursive: true }))
  const files = await bundleShop(folder, release, 'static/js')
  const code = files.find(({ path }) => path.endsWith('.js'))
  const map = files.find(({ path }) => path.endsWith('.map'))
  if (code === undefined || map === undefined) throw new Error('The shop was not built')
  const script = `/static/js/${basename(code.path)}`
  const http = createServer((request, response) => {
    const isScript = request.url === script
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? code.contents : '<!doctype html><title>Shop</title><link rel="icon" href="data:,">',
    )
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  afterTest(() => http.close())
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('The shop is not listening')
  return { release, origin: `http://127.0.0.1:${address.port}`, script, map: map.contents }
}

/** Makes the shop throw an error in the browser, and returns the error. */
async function errorOf(
  page: OpenedPage,
  { origin, script }: Shop,
): Promise<{ message: string; stack: string }> {
  await page.goto(origin)
  return page.evaluate(async url => {
    const { checkout } = await import(url)
    try {
      checkout([{ price: { total: 1 }, label: { text: '' } }])
    } catch (error) {
      if (error instanceof Error) return { message: error.message, stack: error.stack ?? '' }
    }
    throw new Error('The shop did not fail')
  }, script)
}

async function sendError(page: OpenedPage, shop: Shop, digest: string): Promise<void> {
  const { message, stack } = await errorOf(page, shop)
  const err = { type: 'Error', message, stack, digest }
  await server.send({ level: 50, name: 'shop', version: shop.release, msg: 'checkout failed', err })
}

async function upload({ release, script, map }: Shop): Promise<void> {
  const query = new URLSearchParams({ release, path: script.slice(1) })
  const answer = await fetch(`${server.origin}${paths.sourceMaps()}?${query}`, {
    method: 'PUT',
    body: Buffer.from(map),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
}

/** Returns the fingerprint of the event with this digest. */
async function fingerprintOf(digest: string): Promise<string> {
  const answer = await fetch(server.origin + paths.export({ q: `digest:${digest}`, format: 'ndjson' }))
  const event: { fingerprint: string } = JSON.parse(await answer.text())
  return event.fingerprint
}

test('an error in two minified releases is one failure, whether the source maps arrive before or after the error', async ({
  openPage,
  afterTest,
}) => {
  const page = await openPage()
  const main = page.getByRole('main')
  const open = async (digest: string) => {
    await page.goto(server.origin + paths.development({ digest }))
    await main
      .getByRole('heading', { name: /^Error/ })
      .first()
      .waitFor()
    return fingerprintOf(digest)
  }
  const [first, second] = [await serveShop(afterTest, 'first'), await serveShop(afterTest, 'second')]

  await sendError(page, first, '1111111')
  await open('1111111')
  await main.getByText(/No source map for this file is stored for release first/).waitFor()
  await main
    .getByText('npx --no-install sixpane sourcemaps upload --release first --service shop dist/')
    .waitFor()
  await upload(first)
  await server.line(({ msg }) => msg === 'Regrouped failures using uploaded source maps')
  const failure = await open('1111111')
  await main.getByText(/^client\/cart\.ts:6:\d+$/).waitFor()
  await main
    .getByText(cartSource.split('\n')[5]?.trim() ?? '')
    .first()
    .waitFor()
  expect(await main.getByText('no source map').count()).toBe(0)

  await upload(second)
  await sendError(page, second, '2222222')
  expect(await open('2222222'), 'both digests open the same failure').toBe(failure)
  await main.getByText(/^client\/cart\.ts:9:\d+$/).waitFor()
  for (const release of ['first', 'second']) {
    await main.getByRole('rowheader', { name: release }).waitFor()
  }
})

/** Creates a source map from `dist/index.js` to one source file with this name. */
function mapTo(source: string): string {
  return JSON.stringify({
    version: 3,
    sources: [`../src/${source}.ts`],
    sourcesContent: [`// ${source}\n\nthrow new Error('${source} failed')`],
    mappings: 'AAEA',
  })
}

async function uploadOf(service: string, json: string): Promise<void> {
  const query = new URLSearchParams({ release: 'a1b2c3', path: 'dist/index.js', service })
  const answer = await fetch(`${server.origin}${paths.sourceMaps()}?${query}`, { method: 'PUT', body: json })
  if (answer.status !== 201) throw new Error(await answer.text())
  await changesReachAllReplicas(server)
}

test('two services with the same release and file name use their own source maps', async ({ openPage }) => {
  const page = await openPage()
  const main = page.getByRole('main')
  const fail = (service: string, digest: string) => {
    const stack = 'Error: failed\n    at t (/app/dist/index.js:1:1)'
    const err = { type: 'Error', message: 'failed', stack, digest }
    return server.send({ level: 50, name: service, version: 'a1b2c3', msg: 'failed', err })
  }
  /** Waits for a source position and returns the fingerprint of the failure. */
  const shows = async (digest: string, place: string) => {
    await page.goto(server.origin + paths.development({ digest }))
    await main.getByText(place, { exact: true }).waitFor()
    return fingerprintOf(digest)
  }
  const isRegrouped = (line: Record<string, unknown>) =>
    line.msg === 'Regrouped failures using uploaded source maps' && String(line.releases).includes('a1b2c3')

  await uploadOf('orders', mapTo('orders'))
  await fail('orders', '3333333')
  const before = await shows('3333333', 'src/orders.ts:3:1')

  await fail('stock', '4444444')
  await page.goto(server.origin + paths.development({ digest: '4444444' }))
  await main.getByText(/The event is from service stock; source maps .* are stored only for orders/).waitFor()
  await uploadOf('stock', mapTo('stock'))
  await server.line(isRegrouped)
  const other = await shows('4444444', 'src/stock.ts:3:1')
  expect(await shows('3333333', 'src/orders.ts:3:1'), 'the failure of the first service is unchanged').toBe(
    before,
  )
  expect(other).not.toBe(before)

  await uploadOf('stock', mapTo('rebuilt'))
  await page.goto(server.origin + paths.development({ digest: '4444444' }))
  const places = main.getByRole('list', { name: 'Possible positions' }).getByRole('listitem')
  await places.first().waitFor()
  await expect(places).toHaveText([
    /^src\/rebuilt\.ts:3:1 map for service stock, uploaded /,
    /^src\/stock\.ts:3:1 map for service stock, uploaded /,
  ])
  expect(await shows('3333333', 'src/orders.ts:3:1')).toBe(before)
})

test('source maps are not served', async () => {
  const answer = await fetch(`${server.origin}${paths.sourceMaps()}?release=first&path=a.js`)
  expect(answer.status).toBe(405)
})
