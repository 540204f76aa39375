import t from 'tap'
import { loadView, type Views } from '../../client/screens/registry.tsx'
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

/** Returns the uncompressed size of a page, and its number of elements without the hydration data. */
async function sizeOf(url: string): Promise<{ bytes: number; elements: number }> {
  const { pathname, search } = new URL(url, 'http://console.example')
  const screen = screenAt(pathname)
  if (screen === undefined) throw new Error(`There is no screen at ${pathname}`)
  const request = { ...fakeRequest(search), screen, url, form: null, visitor: '127.0.0.1' }
  const prepared = await preparePage(request, context)
  if (prepared.kind !== 'page') throw new Error(`${url} redirects`)
  const views: Views = { [screen]: await loadView[screen]() }
  const env = { views, build: context.build }
  const { body } = await renderBuffered(prepared.page, 200, env, null, request.signal)
  const [html = ''] = body.toString().split('<script type="application/json"')
  return { bytes: body.length, elements: html.match(/<[a-z]/g)?.length ?? 0 }
}

/**
 * The maximum size of each page with this data, a few percent above its current size. Raise a limit only for content that
 * visitors need immediately. Other content can have a separate URL.
 */
const limits: readonly [url: string, bytes: number, elements: number][] = [
  [paths.home(), 38_000, 660],
  [paths.activities(), 110_000, 2000],
  [paths.activities({ table: 'histogram' }), 38_000, 920],
  [paths.dashboard(), 102_000, 1250],
  [paths.dashboard({ table: 'latency' }), 35_000, 750],
  [paths.dashboard({ table: 'durations' }), 145_000, 2200],
  [paths.development(), 86_000, 1600],
  [paths.development({ view: 'connect' }), 30_000, 400],
  [paths.settings(), 49_000, 950],
  ...uiGroups.map((group): [string, number, number] => [paths.ui({ group }), 90_000, 1500]),
]

for (const [url, maxBytes, maxElements] of limits) {
  t.test(`the size of ${url} is within its limit`, async t => {
    const { bytes, elements } = await sizeOf(url)
    t.ok(bytes <= maxBytes, `${bytes} of ${maxBytes} bytes`)
    t.ok(elements <= maxElements, `${elements} of ${maxElements} elements`)
    t.ok(elements > 200, 'the page is not empty')
  })
}
