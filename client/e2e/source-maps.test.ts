import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { bundleShop, cartSource, type ShopRelease } from '../../server/failures/testing.ts'
import { paths } from '../../shared/paths.ts'
import { expect, type OpenedPage, serverForFile, type TestFixtures, test } from './fixtures.ts'

const server = serverForFile()

type Shop = { release: ShopRelease; origin: string; script: string; map: Uint8Array }

/** The minified shop of a release, as its visitors get it: the code without its map. */
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
  if (address === null || typeof address === 'string') throw new Error('The shop does not listen')
  return { release, origin: `http://127.0.0.1:${address.port}`, script, map: map.contents }
}

/** What a visitor's browser says of a basket without a label. */
async function fault(
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

async function sendFault(page: OpenedPage, shop: Shop, digest: string): Promise<void> {
  const { message, stack } = await fault(page, shop)
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

test('one fault of two minified releases is one failure at its line, whenever the maps come', async ({
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
    return new URL(page.url()).searchParams.get('failure')
  }
  const [first, second] = [await serveShop(afterTest, 'first'), await serveShop(afterTest, 'second')]

  await sendFault(page, first, '1111111')
  await open('1111111')
  await main.getByText(/No source map of this file was uploaded for release first/).waitFor()
  await main.getByText('npx sixpane sourcemaps upload --release first dist/').waitFor()
  await upload(first)
  await server.line(({ msg }) => msg === 'Identified failures by source maps')
  const failure = await open('1111111')
  await main.getByText(/^client\/cart\.ts:6:\d+$/).waitFor()
  await main
    .getByText(cartSource.split('\n')[5]?.trim() ?? '')
    .first()
    .waitFor()
  expect(await main.getByText('no map').count()).toBe(0)

  await upload(second)
  await sendFault(page, second, '2222222')
  expect(await open('2222222'), 'both digests lead to one failure').toBe(failure)
  await main.getByText(/^client\/cart\.ts:9:\d+$/).waitFor()
  for (const release of ['first', 'second']) {
    await main.getByText(release, { exact: true }).first().waitFor()
  }
})

test('neither maps nor sources are served', async () => {
  const answer = await fetch(`${server.origin}${paths.sourceMaps()}?release=first&path=a.js`)
  expect(answer.status).toBe(404)
})
