import { screenIds, screens } from '../../shared/screens.ts'
import { screenKeys } from '../shell/keys-dialog.tsx'
import { checkoutDigest, checkoutRequestId } from './events.ts'
import { expect, hydrated, test } from './fixtures.ts'
import { isFocusVisible, tabTo } from './focus.ts'
import { looks } from './looks.ts'
import { screenPaths } from './screen-paths.ts'
import { outOfOrder, walk } from './walk.ts'

test.describe.configure({ mode: 'parallel' })

test('typing a digest opens its failure', async ({ openPage, shop }) => {
  const page = await openPage()
  await page.goto(shop.origin)
  await hydrated(page)
  await page.keyboard.press('/')
  expect(await isFocusVisible(page), 'the focus is visible').toBeTruthy()
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

test('the number of events that a search finds, a problem with it, and an opened event are announced', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(shop.origin + screens.activities.path)
  await hydrated(page)
  const announcer = page.locator('#announcer')
  const search = async (text: string) => {
    await page.getByLabel('Search the log').fill(text)
    await page.keyboard.press('Enter')
  }
  await search('"checkout failed"')
  await expect(announcer).toHaveText('1 event')
  await search('status:(')
  await expect(announcer).toContainText('status:(')
  await page.goBack()
  await expect(announcer).toHaveText('1 event')
  await page.locator('.events tbody a').press('Enter')
  await expect(announcer).toHaveText('Event opened. Press Enter to move to it.')
  await page.goto(shop.origin + screens.dashboard.path)
  await hydrated(page)
  await page.getByRole('link', { name: 'Earlier' }).press('Enter')
  await expect(announcer).toContainText('Dashboard')
})

test('keyboard: a text search leads to an event and its failure', async ({ openPage, shop }) => {
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
  await page.keyboard.press('Enter')
  await expect(page.locator('#event')).toBeFocused()
  expect(await tabTo(page, 'View failure'), 'the tab stops before the link').toEqual(['Close event'])
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === screens.development.path)
  await page.getByRole('region', { name: 'TypeError' }).getByText('src/checkout.ts').first().waitFor()
})

for (const { colorScheme, width } of looks) {
  test(`Tab follows the reading order of each screen, with a visible focus, and Shift+Tab the reverse order, ${colorScheme}, ${width} px`, async ({
    openPage,
    shop,
  }) => {
    const page = await openPage({
      colorScheme,
      viewport: { width, height: 900 },
    })
    for (const path of screenPaths) {
      await page.goto(shop.origin + path)
      await hydrated(page)
      const stops = await walk(page)
      expect(stops.length > 8, `${path}: ${stops.length} stops`).toBeTruthy()
      expect(
        stops.filter(({ isFocusVisible }) => !isFocusVisible).map(({ name }) => name),
        `${path}: the focus is visible at every stop`,
      ).toEqual([])
      expect(outOfOrder(stops), `${path}: stops are in reading order`).toEqual([])
      // One screen is sufficient, because the browser determines the order for both keys.
      if (path === screens.development.path) {
        const back = await walk(page, 'Shift+Tab')
        // Shift+Tab continues past the first element of the page.
        expect(back.slice(0, stops.length).map(({ name }) => name)).toEqual(
          stops.map(({ name }) => name).reverse(),
        )
      }
    }
  })
}

test('every keyboard shortcut listed in the dialog works', async ({ openPage, shop }) => {
  const page = await openPage({ permissions: ['clipboard-write'] })
  /** Opens a path. If it is already open, only removes the focus. */
  const at = async (path: string) => {
    if (page.url() === shop.origin + path) {
      await page.evaluate(
        () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
      )
      return
    }
    await page.goto(shop.origin + path)
    await hydrated(page)
  }
  await at(screens.home.path)
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const listed = await dialog
    .locator('dt')
    .evaluateAll(all => all.map(each => each.textContent?.trim() ?? ''))
  await page.keyboard.press('Escape')
  expect(await dialog.isVisible(), 'Escape closes the dialog').toBeFalsy()

  const row = page.locator('.events tbody a')
  const isFocused = (index: number) => row.nth(index).evaluate(link => link === document.activeElement)
  const shortcuts = new Map<string, () => Promise<void>>([
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
        await page.locator('#event').waitFor()
        await page.keyboard.press('Enter')
        await expect(page.locator('#event')).toBeFocused()
        const next = page.locator('.events tr[data-open] + tr a')
        const href = await next.getAttribute('href')
        await page.keyboard.press('j')
        await expect(
          page.locator(`.events tr[data-open] a[href="${href}"]`),
          'j opens the next event',
        ).toBeFocused()
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
      'x',
      async () => {
        await at(screens.development.path)
        for (const key of ['j', 'x']) await page.keyboard.press(key)
        await expect(page.locator('.failures').getByRole('checkbox', { checked: true })).toHaveCount(1)
      },
    ],
    ...[
      ['r', 'resolved'],
      ['m', 'muted'],
    ].map(([key = '', outcome = '']): [string, () => Promise<void>] => [
      key,
      async () => {
        await at(screens.development.path)
        await page.keyboard.press('j')
        await page.keyboard.press(key)
        await page.getByText(`1 failure ${outcome}.`).waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByText('Change undone.').waitFor()
      },
    ]),
    [
      'l',
      async () => {
        await at(screens.activities.path)
        await page.keyboard.press('l')
        await page.getByRole('button', { name: 'Pause' }).waitFor()
      },
    ],
    [
      'Shift →',
      async () => {
        await at(screens.activities.path)
        await page.getByRole('group', { name: /^Events by severity/ }).focus()
        for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowRight', 'Enter'])
          await page.keyboard.press(key)
        await page.waitForURL(url => url.searchParams.has('from'))
      },
    ],
  ])
  for (const id of screenIds) {
    shortcuts.set(`g ${screenKeys[id]}`, async () => {
      // Each of the other shortcuts is pressed on the screen that the previous shortcut opened.
      if (id === screenIds[0]) await at(screens.ui.path)
      await page.keyboard.press('g')
      await page.keyboard.press(screenKeys[id])
      await page.locator(`main[data-screen=${id}]`).waitFor()
    })
  }
  expect(
    listed.map(keys => keys.replace(/\s+/g, ' ')).sort(),
    'the test covers every listed shortcut',
  ).toEqual([...shortcuts.keys()].sort())
  for (const [keys, check] of shortcuts) {
    await test.step(keys, check)
  }
})

test('in a small window, the keyboard shortcuts dialog opens at the top', async ({ openPage, shop }) => {
  const page = await openPage({ viewport: { width: 1280, height: 400 } })
  await page.goto(shop.origin)
  await hydrated(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('button', { name: 'Close' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeInViewport({ ratio: 1 })
})
