import t from 'tap'
import { screenIds, screens } from '../../shared/screens.ts'
import { axeViolations } from './axe.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { failingCheckout } from './events.ts'
import { startServer } from './server.ts'

const server = await startServer({ SIXPANE_DRILL: '1' })
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

const { events, digest } = failingCheckout(Date.now())
await server.send(...events)

const views = [
  ...screenIds.map(id => screens[id].path),
  `/development?digest=${digest}`,
  '/activities?q=service:shop',
  '/activities?q=status:(',
  '/nowhere',
]

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1280]) {
    for (const view of views) {
      t.test(`axe finds nothing on ${view}, ${colorScheme}, ${width} px`, async t => {
        const page = await openPage(t, {
          colorScheme,
          viewport: { width, height: 800 },
          reducedMotion: 'reduce',
        })
        if (view === '/nowhere') page.expectComplaint('status of 404')
        await page.goto(server.origin + view)
        await hydrated(page)
        t.same(await axeViolations(page), [])
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        t.ok(overflow <= 0, `nothing sticks out to the right (${overflow} px)`)
      })
    }
  }
}
