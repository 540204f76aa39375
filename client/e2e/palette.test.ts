import type { Page, Route } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { screens } from '../../shared/screens.ts'
import { axeViolations } from './axe.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'
import { looks } from './looks.ts'
import { failingTrace, traceId } from './trace.ts'

const server = serverForFile({}, server => server.send(...failingTrace(Date.now())))

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
const field = (page: Page) => dialog(page).getByRole('combobox')

/** Opens the palette by keyboard. Resolves once its entries are loaded from the server. */
async function open(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(dialog(page).getByRole('status')).toHaveText(/\d results?/)
}

async function chosen(page: Page): Promise<string> {
  const id = await field(page).getAttribute('aria-activedescendant')
  const option = page.locator(`[id="${id}"]`)
  expect(await option.getAttribute('role')).toBe('option')
  expect(await option.getAttribute('aria-selected')).toBe('true')
  return option.innerText()
}

test('the palette finds screens, services, failures and traces, and can search the log', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin)
  await hydrated(page)
  for (const [typed, name, at] of [
    ['dash', 'Dashboard', paths.dashboard()],
    ['stock metrics', 'stock', paths.dashboard({ service: 'stock' })],
    ['stock log', 'stock', paths.activities({ q: 'service:stock' })],
    ['card network', 'TimeoutError', '/development?failure='],
    ['4711471147', 'Open failure with digest 4711471147', '/development?failure='],
    ['ERROR 4711471147', 'Open failure with digest 4711471147', '/development?failure='],
    ['checkout shows 4711471147 again', 'Search the log for checkout shows', '/development?failure='],
    [traceId, `Open trace ${traceId}`, `${paths.activities({ q: `trace:${traceId}` })}&from=`],
    ['low stock', 'Search the log for low stock', paths.activities({ q: '"low stock"' })],
  ] as const) {
    await open(page)
    await page.keyboard.type(typed)
    expect(await chosen(page), typed).toContain(name)
    await page.keyboard.press('Enter')
    await page.waitForURL(url => (url.pathname + url.search).startsWith(at))
    expect(await dialog(page).count()).toBe(0)
  }
})

test('arrow keys wrap around, an input method receives its keys, and closing restores the focus', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin + screens.activities.path)
  await hydrated(page)
  await page.getByLabel('Search the log').focus()
  await open(page)
  expect(await field(page).evaluate(input => input === document.activeElement)).toBeTruthy()
  expect(await chosen(page)).toContain('Home')
  await page.keyboard.press('ArrowDown')
  expect(await chosen(page)).toContain('Activities')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  expect(await chosen(page), 'ArrowUp wraps from the first to the last').toContain('Theme:')
  // In Safari, only the code 229 identifies the key that ends a composition.
  for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
    const isUnhandled = await field(page).evaluate(
      (input, init) =>
        input.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
        ),
      init,
    )
    expect(isUnhandled, JSON.stringify(init)).toBe(true)
  }
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  expect(
    await page.getByLabel('Search the log').evaluate(input => input === document.activeElement),
  ).toBeTruthy()
  await open(page)
  await page.keyboard.press('Control+k')
  await dialog(page).waitFor({ state: 'detached' })

  // The palette can be reopened before the browser reports that it was closed.
  await open(page)
  await dialog(page).evaluate((palette: HTMLDialogElement) => {
    palette.addEventListener('close', event => event.stopImmediatePropagation(), { capture: true })
    palette.close()
  })
  await open(page)
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
})

test('keys pressed while the palette is loading are typed into its field', async ({ openPage }) => {
  const page = await openPage()
  const requested = new Promise<Route>(resolve => page.route(/\/palette-\w+\.js$/, resolve))
  await page.goto(`${server.origin}/development?digest=4711471147`)
  await hydrated(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('theme')
  await (await requested).continue()
  await expect(field(page)).toHaveValue('theme')
  await page.keyboard.type(' dark')
  expect(await chosen(page)).toContain('Theme: dark')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  // The `m` in “theme” must not reach the page, where it would mute the failure.
  await page.locator('.failure-head').getByText('Open', { exact: true }).waitFor()
})

test('the palette finds a saved search by its name', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'severity:error' }))
  await hydrated(page)
  await page.getByText('Saved', { exact: true }).click()
  await page.getByLabel('Save search as').fill('What went wrong')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('main').getByText('Search saved.').waitFor()
  await page.goto(server.origin)
  await hydrated(page)
  await open(page)
  await dialog(page).getByRole('group', { name: 'Saved searches' }).waitFor()
  await page.keyboard.type('went wrong')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.get('q') === 'severity:error')
})

test('the palette runs the actions of the page', async ({ openPage }) => {
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(server.origin + screens.activities.path)
  await hydrated(page)
  const take = async (typed: string) => {
    await open(page)
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
  }
  await take('theme dark')
  await page.locator('html[data-theme=dark]').waitFor()
  await page.reload()
  await hydrated(page)
  expect(await page.locator('html').getAttribute('data-theme'), 'the theme is saved').toBe('dark')

  await take('copy link')
  await page.getByText('Copied').waitFor({ state: 'attached' })
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())

  await take('live log')
  await page.getByRole('button', { name: 'Pause' }).waitFor()

  const file = page.waitForEvent('download')
  await take('export csv')
  expect((await file).suggestedFilename()).toMatch(/\.csv$/)

  await take('keyboard shortcuts')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByText('Command palette').waitFor()
})

test('the palette copies a link over plain HTTP, where the Clipboard API is missing', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  const url = server.origin + screens.dashboard.path
  await page.goto(url)
  await hydrated(page)
  await open(page)
  await page.keyboard.type('copy link')
  await page.keyboard.press('Enter')
  await expect(page.locator('#announcer')).toContainText('Copied')
  const box = page.locator('#shell-search')
  await box.focus()
  await page.keyboard.press('Control+v')
  await expect(box).toHaveValue(url)
})

test('a failed action is reported visibly', async ({ openPage }) => {
  const page = await openPage()
  page.expectConsoleMessage('Failed to load resource')
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await page.goto(server.origin + screens.dashboard.path)
  await hydrated(page)
  await page.route(
    url => url.pathname === screens.settings.path,
    route => route.abort(),
  )
  const search = page.locator('#shell-search')
  await search.focus()
  for (const [typed, problem] of [
    ['copy link', 'The browser blocked copying'],
    ['theme dark', 'The theme could not be saved'],
  ] as const) {
    await open(page)
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText(problem)
    await expect(page.getByRole('alert')).toBeInViewport()
  }
  expect(await axeViolations(page, { within: '#page-notice' })).toEqual([])
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(search).toBeFocused()
})

test('a press outside closes the palette, but releasing a selection outside does not', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin + screens.dashboard.path)
  await hydrated(page)
  await open(page)
  await page.keyboard.type('selected')
  const box = await field(page).boundingBox()
  if (box === null) throw new Error('The field is hidden')
  await page.mouse.move(box.x + 60, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(5, 300)
  await page.mouse.up()
  await expect(field(page)).toHaveValue('selected')
  // Below the pointer, but behind the palette, is a link.
  const link = await page.getByRole('link', { name: 'Home', exact: true }).boundingBox()
  if (link === null) throw new Error('The link is hidden')
  await page.mouse.click(link.x + 5, link.y + 5)
  await dialog(page).waitFor({ state: 'detached' })
  await expect(page.locator('main[data-screen="dashboard"]')).toBeVisible()
})

test('text that is too long to search is not lost, and its digest can be opened', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin)
  await hydrated(page)
  await open(page)
  await field(page).fill('xyzzy '.repeat(10_000))
  await expect(dialog(page).getByText('too long to search')).toBeVisible()
  await expect(dialog(page).getByRole('option')).toHaveCount(0)
  expect(await axeViolations(page, { within: 'dialog[open]' })).toEqual([])
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeVisible()
  await field(page).fill(`${'xyzzy '.repeat(10_000)} digest: 4711471147`)
  await expect(dialog(page).getByRole('option')).toHaveText(['Open failure with digest 4711471147'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'TimeoutError' })).toBeVisible()
})

test('touch: the button in the header opens the palette, and Close closes it', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await page.goto(server.origin)
  await hydrated(page)
  await page.getByRole('button', { name: 'Commands' }).tap()
  await dialog(page).getByRole('button', { name: 'Close' }).tap()
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Commands' }).tap()
  await dialog(page).getByRole('option', { name: 'Settings' }).tap()
  await page.waitForURL(url => url.pathname === screens.settings.path)
})

test('failed requests are reported: without its code, the palette closes; without its entries, it still finds screens', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('Failed to load resource')
  await page.route(/\/palette-\w+\.js$/, route => route.abort())
  await page.goto(server.origin)
  await hydrated(page)
  await page.keyboard.press('Control+k')
  const notice = page.getByRole('alert')
  await expect(notice).toContainText('The command palette could not be loaded')
  await expect(notice).toBeInViewport()
  await dialog(page).waitFor({ state: 'detached' })
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)
  await page.unroute(/\/palette-\w+\.js$/)

  page.expectConsoleMessage('status of 503')
  await page.route(
    url => url.pathname === paths.find(),
    route => route.fulfill({ status: 503 }),
  )
  await page.goto(server.origin)
  await hydrated(page)
  await page.keyboard.press('Control+k')
  await dialog(page).getByText('could not be loaded').waitFor()
  await page.keyboard.type('ui')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === screens.ui.path)
})

test('axe finds no violations in the palette', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin)
  await hydrated(page)
  await open(page)
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    for (const typed of ['', 'pay']) {
      await field(page).fill(typed)
      expect(await axeViolations(page, { within: 'dialog[open]' }), `${colorScheme}, ${typed}`).toEqual([])
    }
  }
})
