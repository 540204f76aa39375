import type { Page } from 'playwright-core'
import t from 'tap'
import { screens } from '../../shared/screens.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { failingCheckout } from './events.ts'
import { startServer } from './server.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

const { events, digest, requestId } = failingCheckout(Date.now())
await server.send(...events)

t.test('a digest is typed, and its cause is there', async t => {
  const page = await openPage(t)
  await page.goto(server.origin)
  await hydrated(page)
  await page.keyboard.press('/')
  t.ok(await isFocusVisible(page), 'where one types is to be seen')
  await page.keyboard.type(digest)
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.has('failure'))
  const failure = page.getByRole('region', { name: 'TypeError' })
  await failure.getByText('src/checkout.ts').first().waitFor()
  await tabTo(page, requestId)
  await page.keyboard.press('Enter')
  await page.locator('main[data-screen=activities]').waitFor()
  t.match(new URL(page.url()).searchParams.get('q'), requestId)
})

t.test('a text is typed, an event opened, and its failure followed', async t => {
  const page = await openPage(t)
  await page.goto(server.origin)
  await hydrated(page)
  await page.keyboard.press('/')
  await page.keyboard.type('"checkout failed"')
  await page.keyboard.press('Enter')
  await page.locator('main[data-screen=activities]').waitFor()
  await tabTo(page, /checkout failed|properties of null/)
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.has('event'))
  await page.getByText('/app/src/checkout.ts').first().waitFor()
  await tabTo(page, 'Show the failure')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === screens.development.path)
  await page.getByRole('region', { name: 'TypeError' }).getByText('src/checkout.ts').first().waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  t.test(`every stop of the tab key is to be seen, ${colorScheme}`, async t => {
    const page = await openPage(t, { colorScheme, reducedMotion: 'reduce' })
    for (const { path } of Object.values(screens)) {
      await page.goto(server.origin + path)
      await hydrated(page)
      const unseen: string[] = []
      let stops = 0
      for (let left = 400; left > 0; left -= 1) {
        await page.keyboard.press('Tab')
        const stop = await focused(page)
        if (stop === null) break
        stops += 1
        if (!(await isFocusVisible(page))) unseen.push(stop)
      }
      t.ok(stops > 8, `${path}: ${stops}`)
      t.same(unseen, [], path)
    }
  })
}

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let left = 200; left > 0; left -= 1) {
    await page.keyboard.press('Tab')
    const stop = (await focused(page)) ?? ''
    if (typeof name === 'string' ? stop.includes(name) : name.test(stop)) {
      if (!(await isFocusVisible(page))) throw new Error(`The focus on ${stop} is not to be seen`)
      return
    }
    passed.push(stop)
  }
  throw new Error(`${name} was not among ${passed.join(' · ')}`)
}

/** What has the focus, in its own words; `null` where it is the document itself. */
function focused(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return null
    const name = element.getAttribute('aria-label') ?? element.textContent
    // A part that scrolls has the focus too, and all of its text.
    return element.matches('a, summary, button') && name
      ? name
      : `<${element.localName} ${element.className}>`
  })
}

/** Whether what has the focus lies in view, and looks other than without it. */
function isFocusVisible(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return false
    const { top, bottom, left, right } = element.getBoundingClientRect()
    if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return false
    // A box may wear the ring for what it holds, and a label for its hidden control.
    const wearers = [element, element.parentElement, element.nextElementSibling]
    return wearers.some(wearer => {
      if (wearer === null) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(wearer)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none'
    })
  })
}
