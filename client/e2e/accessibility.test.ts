import type { Page } from 'playwright-core'
import t from 'tap'
import { screenIds, screens } from '../../shared/screens.ts'
import { axeViolations } from './axe.ts'
import { closeBrowser, hydrated, type OpenedPage, openPage } from './browser.ts'
import { failingCheckout } from './events.ts'
import { startServer } from './server.ts'
import { failingTrace, traceId } from './trace.ts'

const server = await startServer({ SIXPANE_DRILL: '1' })
const empty = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
  await empty.stop()
})

const { events, digest } = failingCheckout(Date.now())
await server.send(...events, ...failingTrace(Date.now()))

/** What is looked at: a page, and what is done to it first. */
type View = { path: string; of?: typeof server; as?: string; act?: (page: OpenedPage) => Promise<unknown> }

const paths = screenIds.map(id => screens[id].path)
/** In both themes, at both widths. */
const usual: View[] = [
  ...paths.map(path => ({ path })),
  { path: `/development?digest=${digest}` },
  { path: '/activities', as: 'an event open', act: openEvent },
]
/** What is made of the same parts. */
const special: View[] = [
  ...paths.map(path => ({ path, of: empty, as: 'with nothing sent' })),
  ...paths.slice(0, -1).map(path => ({ path, as: 'unfolded', act: unfold })),
  { path: `/development?digest=${digest}`, as: 'unfolded', act: unfold },
  { path: '/development?digest=4711000000', as: 'not kept' },
  { path: '/activities?q=status:(' },
  { path: '/activities?q=nothing-of-this-kind' },
  { path: `/activities?q=trace:${traceId}` },
  { path: '/activities?columns=severity:200,message:400,release:200,source:200,request:200,@user.plan:200' },
  { path: '/activities', as: 'following', act: follow },
  { path: '/activities', as: 'completions', act: complete },
  { path: '/settings', as: 'with problems', act: saveWrong },
  { path: '/', as: 'keys', act: page => page.keyboard.press('?') },
  { path: '/', as: 'palette', act: openPalette },
  { path: '/nowhere' },
  { path: '/development?drill=content', as: 'failing' },
  { path: '/development?drill=client', as: 'failing' },
]

const looks = [
  { colorScheme: 'light', width: 360, views: usual },
  { colorScheme: 'light', width: 1280, views: [...usual, ...special] },
  { colorScheme: 'dark', width: 360, views: [...usual, ...special] },
  { colorScheme: 'dark', width: 1280, views: usual },
] as const

for (const { colorScheme, width, views } of looks) {
  t.test(`axe finds nothing, ${colorScheme}, ${width} px`, async t => {
    const page = await openPage(t, { colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' })
    for (const expected of ['status of 404', 'status of 422', 'status of 500', 'on purpose'])
      page.expectComplaint(expected)
    for (const { path, of = server, as = 'as it comes', act } of views) {
      await page.goto(of.origin + path)
      await (as === 'failing' ? page.getByRole('alert').waitFor() : hydrated(page))
      await act?.(page)
      t.same(await axeViolations(page), [], `${path}, ${as}`)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      t.ok(overflow <= 0, `${path}, ${as}: nothing sticks out to the right (${overflow} px)`)
    }
  })
}

/** Opens all that is folded, menus among it. */
function unfold(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
}

async function openEvent(page: Page): Promise<void> {
  await page.locator('.events tbody a').first().click()
  await page.getByRole('article', { name: 'Event' }).waitFor()
}

async function follow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Follow' }).click()
  await page.locator('[data-connection=open]').waitFor()
}

async function complete(page: Page): Promise<void> {
  await page.getByLabel('Search the log').pressSequentially('service:')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
}

async function saveWrong(page: Page): Promise<void> {
  await page.getByLabel('Time zone').fill('Mars/Base')
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await page.getByText('Nothing was saved').first().waitFor()
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('shop')
  await page.getByRole('option', { name: /shop/ }).first().waitFor()
}
