import t from 'tap'
import { screenIds, screens } from '../../shared/screens.ts'
import { screenKeys } from '../shell/keys-dialog.tsx'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { failingCheckout } from './events.ts'
import { isFocusVisible, tabTo } from './focus.ts'
import { startServer } from './server.ts'
import { failingTrace } from './trace.ts'
import { outOfOrder, walk } from './walk.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

const { events, digest, requestId } = failingCheckout(Date.now())
await server.send(...events, ...failingTrace(Date.now()))

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
  t.same(await tabTo(page, 'Show the failure'), ['Close the event'], 'the event comes next')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === screens.development.path)
  await page.getByRole('region', { name: 'TypeError' }).getByText('src/checkout.ts').first().waitFor()
})

for (const width of [360, 1280]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    t.test(`the tab key leads through each screen and out of it, ${colorScheme}, ${width} px`, async t => {
      const page = await openPage(t, {
        colorScheme,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      })
      for (const { path } of Object.values(screens)) {
        await page.goto(server.origin + path)
        await hydrated(page)
        const stops = await walk(page)
        t.ok(stops.length > 8, `${path}: ${stops.length} stops`)
        t.same(
          stops.filter(({ isSeen }) => !isSeen).map(({ name }) => name),
          [],
          `${path}: every stop is to be seen`,
        )
        t.same(outOfOrder(stops), [], `${path}: in the order in which it is read`)
      }
    })
  }
}

t.test('the same way leads back', async t => {
  const page = await openPage(t, { reducedMotion: 'reduce' })
  await page.goto(server.origin + screens.development.path)
  await hydrated(page)
  const there = await walk(page)
  const back = await walk(page, 'Shift+Tab')
  t.same(
    // It does not end at the top.
    back.slice(0, there.length).map(({ name }) => name),
    there.map(({ name }) => name).reverse(),
  )
})

t.test('every key of the list does what the list says', async t => {
  const page = await openPage(t, { permissions: ['clipboard-write'] })
  const at = async (path: string) => {
    await page.goto(server.origin + path)
    await hydrated(page)
  }
  await at(screens.home.path)
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keys' })
  const listed = await dialog
    .locator('dt')
    .evaluateAll(all => all.map(each => each.textContent?.trim() ?? ''))
  await page.keyboard.press('Escape')
  t.notOk(await dialog.isVisible(), 'Escape closes the list')

  const row = page.locator('.events tbody a')
  const isFocused = (index: number) => row.nth(index).evaluate(link => link === document.activeElement)
  const tried = new Map<string, () => Promise<void>>([
    [
      '/',
      async () => {
        await at(screens.activities.path)
        await page.keyboard.press('/')
        t.ok(await page.getByLabel('Search the log').evaluate(field => field === document.activeElement))
      },
    ],
    [
      '?',
      async () => {
        await at(screens.settings.path)
        await page.keyboard.press('?')
        t.ok(await dialog.isVisible())
      },
    ],
    [
      'Esc',
      async () => {
        await at(screens.activities.path)
        const menu = page.locator('details[data-menu]').first()
        await menu.locator('summary').press('Enter')
        await page.keyboard.press('Escape')
        t.notOk(await menu.getAttribute('open'))
        t.ok(await menu.locator('summary').evaluate(summary => summary === document.activeElement))
      },
    ],
    [
      'Ctrl K',
      async () => {
        await at(screens.ui.path)
        const palette = page.getByRole('dialog', { name: 'Commands' })
        await page.keyboard.press('Control+k')
        await palette.waitFor()
        await page.keyboard.press('Control+k')
        await palette.waitFor({ state: 'hidden' })
      },
    ],
    [
      'j k',
      async () => {
        await at(screens.activities.path)
        for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
        t.ok(await isFocused(1))
      },
    ],
    [
      'Enter',
      async () => {
        await page.keyboard.press('Enter')
        await page.locator('#event:focus').waitFor()
        await page.keyboard.press('j')
        t.ok(
          await page.locator('.events tr[data-open] + tr a:focus').count(),
          'from the open event to the next',
        )
      },
    ],
    [
      'l',
      async () => {
        await at(screens.activities.path)
        await page.keyboard.press('l')
        await page.getByRole('button', { name: 'Follow', pressed: true }).waitFor()
      },
    ],
    [
      'Shift →',
      async () => {
        await at(screens.activities.path)
        await page.getByRole('group', { name: /^Choose a time/ }).focus()
        for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowRight', 'Enter'])
          await page.keyboard.press(key)
        await page.waitForURL(url => url.searchParams.has('from'))
      },
    ],
  ])
  for (const id of screenIds) {
    tried.set(`g ${screenKeys[id]}`, async () => {
      await at(id === 'home' ? screens.ui.path : screens.home.path)
      await page.keyboard.press('g')
      await page.keyboard.press(screenKeys[id])
      await page.locator(`main[data-screen=${id}]`).waitFor()
    })
  }
  t.same(listed.map(keys => keys.replace(/\s+/g, ' ')).sort(), [...tried.keys()].sort(), 'all are tried')
  for (const [keys, tries] of tried) {
    t.comment(keys)
    await tries()
  }
})
