import type { Page } from 'playwright-core'
import t from 'tap'
import { paths } from '../../shared/paths.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { hardDigest, hardMessage, hardTraceId, sendHardEvents } from './hard-events.ts'
import { startServer } from './server.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})
await sendHardEvents(server, Date.now())

const range = { span: '1h' } as const
const columns =
  'severity,service,message,@attribute0,@attribute1,@attribute2,route,status,duration,release,request'
const views = [
  ...screenIds.map(id => screens[id].path),
  paths.home({ range: '24h' }),
  paths.activities({ range, event: await idOf(hardMessage) }),
  paths.activities({ range, facet: 'route' }),
  paths.activities({ range, columns }),
  paths.activities({ range, q: `trace:${hardTraceId}` }),
  paths.activities({ q: `status:( ${'x'.repeat(200)}` }),
  paths.development({ digest: hardDigest }),
]

for (const width of [360, 1280, 1920]) {
  t.test(`no page is wider than ${width} px`, async t => {
    const page = await openPage(t, { viewport: { width, height: 800 } })
    for (const view of views) {
      await page.goto(server.origin + view)
      await hydrated(page)
      t.same(await stickingOut(page), [], view)
    }
  })
}

/** What reaches beyond the right edge of a page that scrolls sideways. */
function stickingOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.scrollingElement?.scrollWidth ?? 0
    if (width <= innerWidth) return []
    return [...document.querySelectorAll('main *')]
      .filter(element => element.getBoundingClientRect().right >= width - 1)
      .map(element => `${element.localName} ${element.className}`)
  })
}

async function idOf(message: string): Promise<number> {
  const answer = await fetch(server.origin + paths.activities({ q: `"${message}"`, range: { span: '1h' } }))
  const [, id] = /event=(\d+)/.exec(await answer.text()) ?? []
  return Number(id)
}
