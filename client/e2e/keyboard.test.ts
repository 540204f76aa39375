import { screenIds, screens } from '../../shared/screens.ts'
import { screenKeys } from '../shell/keys-dialog.tsx'
import { checkoutDigest, checkoutRequestId } from './events.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { isFocusVisible, tabTo } from './focus.ts'
import { outOfOrder, walk } from './walk.ts'

test.describe.configure({ mode: 'parallel' })

test('a digest is typed, and its cause is there', async ({ openPage, shop }) => {
  const page = await openPage()
  await page.goto(shop.origin)
  await hydrated(page)
  await page.keyboard.press('/')
  expect(await isFocusVisible(page), 'where one types is to be seen').toBeTruthy()
  await page.keyboard.type(checkoutDigest)
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.has('failure'))
  const failure = page.getByRole('region', { name: 'TypeError' })
  await failure.getByText('src/checkout.ts').first().waitFor()
  await tabTo(page, checkoutRequestId)
  await page.keyboard.press('Enter')
  await page.locator('main[data-screen=activities]').waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toContain(checkoutRequestId)
})

test('a text is typed, an event opened, and its failure followed', async ({ openPage, shop }) => {
  const page = await openPage()
  await page.goto(shop.origin)
  await hydrated(page)
  await page.keyboard.press('/')
  await page.keyboard.type('"checkout failed"')
  await page.keyboard.press('Enter')
  await page.locator('main[data-screen=activities]').waitFor()
  await tabTo(page, /checkout failed|properties of null/)
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.has('event'))
  await page.getByText('/app/src/checkout.ts').first().waitFor()
  expect(await tabTo(page, 'Show the failure'), 'the event comes next').toEqual(['Close the event'])
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === screens.development.path)
  await page.getByRole('region', { name: 'TypeError' }).getByText('src/checkout.ts').first().waitFor()
})

for (const width of [360, 1280]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the tab key leads through each screen and out of it, ${colorScheme}, ${width} px`, async ({
      openPage,
      shop,
    }) => {
      const page = await openPage({
        colorScheme,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      })
      for (const { path } of Object.values(screens)) {
        await page.goto(shop.origin + path)
        await hydrated(page)
        const stops = await walk(page)
        expect(stops.length > 8, `${path}: ${stops.length} stops`).toBeTruthy()
        expect(
          stops.filter(({ isSeen }) => !isSeen).map(({ name }) => name),
          `${path}: every stop is to be seen`,
        ).toEqual([])
        expect(outOfOrder(stops), `${path}: in the order in which it is read`).toEqual([])
      }
    })
  }
}

test('the same way leads back', async ({ openPage, shop }) => {
  const page = await openPage({ reducedMotion: 'reduce' })
  await page.goto(shop.origin + screens.development.path)
  await hydrated(page)
  const there = await walk(page)
  const back = await walk(page, 'Shift+Tab')
  expect(
    // It does not end at the top.
    back.slice(0, there.length).map(({ name }) => name),
  ).toEqual(there.map(({ name }) => name).reverse())
})

test('every key of the list does what the list says', async ({ openPage, shop }) => {
  const page = await openPage({ permissions: ['clipboard-write'] })
  const at = async (path: string) => {
    await page.goto(shop.origin + path)
    await hydrated(page)
  }
  await at(screens.home.path)
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keys' })
  const listed = await dialog
    .locator('dt')
    .evaluateAll(all => all.map(each => each.textContent?.trim() ?? ''))
  await page.keyboard.press('Escape')
  expect(await dialog.isVisible(), 'Escape closes the list').toBeFalsy()

  const row = page.locator('.events tbody a')
  const isFocused = (index: number) => row.nth(index).evaluate(link => link === document.activeElement)
  const tried = new Map<string, () => Promise<void>>([
    [
      '/',
      async () => {
        await at(screens.activities.path)
        await page.keyboard.press('/')
        expect(
          await page.getByLabel('Search the log').evaluate(field => field === document.activeElement),
        ).toBeTruthy()
      },
    ],
    [
      '?',
      async () => {
        await at(screens.settings.path)
        await page.keyboard.press('?')
        expect(await dialog.isVisible()).toBeTruthy()
      },
    ],
    [
      'Esc',
      async () => {
        await at(screens.activities.path)
        const menu = page.locator('details[data-menu]').first()
        await menu.locator('summary').press('Enter')
        await page.keyboard.press('Escape')
        expect(await menu.getAttribute('open')).toBeFalsy()
        expect(
          await menu.locator('summary').evaluate(summary => summary === document.activeElement),
        ).toBeTruthy()
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
        expect(await isFocused(1)).toBeTruthy()
      },
    ],
    [
      'Enter',
      async () => {
        await page.keyboard.press('Enter')
        await page.locator('#event:focus').waitFor()
        await page.keyboard.press('j')
        expect(
          await page.locator('.events tr[data-open] + tr a:focus').count(),
          'from the open event to the next',
        ).toBeTruthy()
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
  expect(listed.map(keys => keys.replace(/\s+/g, ' ')).sort(), 'all are tried').toEqual(
    [...tried.keys()].sort(),
  )
  for (const [keys, tries] of tried) {
    await test.step(keys, tries)
  }
})
