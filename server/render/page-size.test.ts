import t from 'tap'
import { loadViews } from '../../client/screens/registry.tsx'
import { paths } from '../../shared/paths.ts'
import { uiGroups } from '../../shared/screens/ui.ts'
import { screenAt } from '../../shared/screens.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import { busyHour } from '../testing/busy-hour.ts'
import { fakeContext, fakeRequest, testNowMs } from '../testing/fake-context.ts'
import { renderBuffered } from './buffered.tsx'
import { preparePage } from './prepare.ts'

const store = openMemoryStore({ nowMs: () => testNowMs })
await store.append(busyHour())
const context = fakeContext({ store })
const views = await loadViews()

/** Returns the uncompressed size of a page, and its number of elements without the hydration data. */
async function sizeOf(url: string): Promise<{ bytes: number; elements: number }> {
  const { pathname, search } = new URL(url, 'http://console.example')
  const screen = screenAt(pathname)
  if (screen === undefined) throw new Error(`There is no screen at ${pathname}`)
  const request = { ...fakeRequest(search), screen, url, form: null, visitor: '127.0.0.1' }
  const prepared = await preparePage(request, context)
  if (prepared.kind !== 'page') throw new Error(`${url} redirects`)
  const env = { views, build: context.build }
  const { body } = renderBuffered(prepared.page, 200, env, null)
  const [html = ''] = body.toString().split('<script type="application/json"')
  return { bytes: body.length, elements: html.match(/<[a-z]/g)?.length ?? 0 }
}

/**
 * The maximum size of each page with this data, a few percent above its current size. Raise a limit only for content that
 * visitors need immediately. Other content can have a separate URL.
 */
const limits: readonly [url: string, bytes: number, elements: number][] = [
  [paths.home(), 35_000, 560],
  [paths.activities(), 90_800, 1805],
  [paths.activities({ table: 'histogram' }), 35_500, 850],
  [paths.dashboard(), 96_000, 1200],
  [paths.dashboard({ table: 'latency' }), 32_500, 704],
  [paths.dashboard({ table: 'durations' }), 135_000, 2070],
  [paths.dashboard({ table: 'routes' }), 62_000, 860],
  [paths.development(), 87_500, 1500],
  [paths.development({ view: 'connect' }), 28_000, 290],
  [paths.settings(), 49_000, 890],
  ...uiGroups.map((group): [string, number, number] => [paths.ui({ group }), 81_000, 1350]),
]

for (const [url, maxBytes, maxElements] of limits) {
  t.test(`the size of ${url} is within its limit`, async t => {
    const { bytes, elements } = await sizeOf(url)
    t.ok(bytes <= maxBytes, `${bytes} of ${maxBytes} bytes`)
    t.ok(elements <= maxElements, `${elements} of ${maxElements} elements`)
    t.ok(elements > 200, 'the page is not empty')
  })
}
