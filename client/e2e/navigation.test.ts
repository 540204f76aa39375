import { screenIds, screens } from '../../shared/screens.ts'
import { expect, hydrated, type OpenedPage, serverForFile, test } from './fixtures.ts'

const server = serverForFile()

const documents = (page: import('@playwright/test').Page) => {
  const loads: string[] = []
  page.on('request', request => {
    if (request.isNavigationRequest()) loads.push(request.url())
  })
  return loads
}

test('a link loads the screen without loading a new document', async ({ openPage }) => {
  const page = await openPage({ reducedMotion: 'no-preference' })
  const loads = documents(page)
  await page.goto(server.origin)
  await hydrated(page)
  const navigation = page.getByRole('navigation', { name: 'Screens' })
  for (const id of screenIds.slice(1)) {
    await navigation.getByRole('link', { name: screens[id].title, exact: true }).click()
    await page.locator(`main[data-screen="${id}"]`).waitFor()
    expect(new URL(page.url()).pathname).toBe(screens[id].path)
    expect(await page.title()).toContain(screens[id].title)
    expect(
      await navigation
        .getByRole('link', { name: screens[id].title, exact: true })
        .getAttribute('aria-current'),
    ).toBe('page')
    expect(await page.evaluate(() => document.activeElement?.id), 'the focus moves to the new screen').toBe(
      'main',
    )
    await page.getByRole('status').filter({ hasText: screens[id].title }).first().waitFor()
  }
  expect(loads.length, 'only one document was loaded').toBe(1)
  await page.goBack()
  await page.locator('main[data-screen="settings"]').waitFor()
  await page.goForward()
  await page.locator('main[data-screen="ui"]').waitFor()
  expect(loads.length).toBe(1)
})

test('Back restores the scroll position, and a new screen starts at the top', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1000, height: 500 } })
  await page.goto(`${server.origin}/ui`)
  await hydrated(page)
  await page.evaluate(() => scrollTo(0, 700))
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.locator('main[data-screen="settings"]').waitFor()
  await page.waitForFunction(() => scrollY === 0)
  await page.goBack()
  await page.locator('main[data-screen="ui"]').waitFor()
  await page.waitForFunction(() => scrollY === 700)
})

test('keyboard: the skip link moves the focus to the content, and a search does not load a new document', async ({
  openPage,
}) => {
  const page = await openPage()
  const loads = documents(page)
  await page.goto(server.origin)
  await hydrated(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.keyboard.press('/')
  await page.keyboard.type('severity:info')
  await page.keyboard.press('Enter')
  await page.locator('main[data-screen="activities"]').waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe('severity:info')
  expect(loads.length).toBe(1)
})

test('resting the pointer on a link loads its page, unless the link leads to a part of the displayed page', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(shop.origin + screens.settings.path)
  await hydrated(page)
  await page.clock.install()
  const loaded: string[] = []
  page.on('request', request => loaded.push(new URL(request.url()).pathname))
  const sections = page.getByRole('navigation', { name: 'Settings' })
  const home = page.waitForRequest(shop.origin + screens.home.path)
  await sections.getByRole('link', { name: 'Tokens' }).hover()
  await page.clock.runFor(1000)
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Home' }).hover()
  await page.clock.runFor(1000)
  await home
  expect(loaded).toEqual([screens.home.path])
})

test('without the Navigation API, links, searches and Back load documents that hydrate', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'))
  const loads = documents(page)
  await page.goto(server.origin)
  await hydrated(page)
  expect(await page.evaluate(() => 'navigation' in window)).toBe(false)

  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: screens.settings.title, exact: true })
    .click()
  await page.locator('main[data-screen="settings"]').waitFor()
  await hydrated(page)
  expect(loads.length).toBe(2)

  await page.keyboard.press('/')
  await page.keyboard.type('severity:info')
  await page.keyboard.press('Enter')
  await page.locator('main[data-screen="activities"]').waitFor()
  await hydrated(page)
  expect(new URL(page.url()).searchParams.get('q')).toBe('severity:info')
  expect(loads.length).toBe(3)

  await page.goBack()
  await page.locator('main[data-screen="settings"]').waitFor()
  await hydrated(page)
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
})

test('a slow load shows progress, also if it redirects; a link to another page cancels the load, but a link within the page does not', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin)
  await hydrated(page)
  const release: (() => void)[] = []
  await page.route('**/dashboard', async route => {
    await new Promise<void>(resolve => release.push(resolve))
    await route.continue().catch(() => {})
  })
  const navigation = page.getByRole('navigation', { name: 'Screens' })
  const link = navigation.getByRole('link', { name: 'Dashboard' })
  await link.click()
  await page.locator('html[data-pending]').waitFor({ state: 'attached' })
  await expect(link).toHaveAttribute('data-pending', '')
  await expect(page.locator('main')).toHaveCSS('opacity', '0.6')
  await navigation.getByRole('link', { name: 'Settings' }).click()
  await page.locator('main[data-screen="settings"]').waitFor()
  await page.locator('html:not([data-pending])').waitFor({ state: 'attached' })
  for (const call of release) call()
  expect(new URL(page.url()).pathname).toBe('/settings')

  await link.click()
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
  await page.unroute('**/dashboard')
  for (const call of release) call()
  await page.locator('main[data-screen="dashboard"]').waitFor()
  await page.locator('html:not([data-pending])').waitFor({ state: 'attached' })
  await expect(link).not.toHaveAttribute('data-pending')
  await expect(page.locator('main')).toHaveCSS('opacity', '1')

  await server.send({
    level: 50,
    time: Date.now(),
    msg: 'failed',
    err: {
      type: 'SlowError',
      message: 'slow',
      stack: 'SlowError: slow\n    at a (/a.js:1:1)',
      digest: '77000077',
    },
  })
  const pending = page.locator('html[data-pending]')
  await page.route(/q=77000077/, async route => {
    await pending.waitFor()
    await route.continue()
  })
  await page.getByRole('searchbox').first().fill('77000077')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'SlowError' }).waitFor()
  await page.waitForURL(/failure=/)
  await expect(pending).toHaveCount(0)
})

/** Actions that cancel a pending navigation without opening another page. */
const stops: Readonly<Record<string, (page: OpenedPage) => Promise<unknown>>> = {
  'the browser’s Stop button': page => page.evaluate(() => window.stop()),
  'a download': async page => {
    const download = page.waitForEvent('download')
    await page.getByText('Export', { exact: true }).click()
    await page.getByRole('link', { name: 'CSV', exact: true }).click()
    await download
  },
  'typing in a text field': page => page.getByLabel('Search the log').pressSequentially('half'),
  'the prompt about unsaved text': async page => {
    await page.getByText('Saved', { exact: true }).click()
    // Sets the text without an event, because typing would already stop the navigation.
    await page.getByLabel('Save search as').evaluate((field: HTMLInputElement) => (field.value = 'unsaved'))
    page.once('dialog', dialog => dialog.dismiss())
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
  },
}

test('if an action cancels a navigation, the URL of the displayed page is restored', async ({ openPage }) => {
  const page = await openPage()
  const log = `${server.origin}/activities?range=1h`
  await page.goto(log)
  await hydrated(page)
  await page.route('**/dashboard', () => {})
  for (const [name, stop] of Object.entries(stops)) {
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.locator('html[data-pending]').waitFor({ state: 'attached' })
    await stop(page)
    await expect(page.locator('[data-pending]'), name).toHaveCount(0)
    await expect(page, name).toHaveURL(log)
    await expect(page.getByRole('main'), name).toHaveAttribute('data-screen', 'activities')
  }
})

test('a page that loads while the visitor types in a field takes neither the text nor the focus', async ({
  openPage,
}) => {
  await server.send({
    level: 50,
    time: Date.now(),
    msg: 'failed',
    err: { type: 'TypedError', message: 'typed', stack: 'TypedError: typed\n    at b (/b.js:1:1)' },
  })
  const page = await openPage()
  const list = `${server.origin}/development`
  await page.goto(list)
  await hydrated(page)
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route(/failure=/, async route => {
    await released
    await route.continue().catch(() => {})
  })
  const changes: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') changes.push(request.postData() ?? '')
  })
  const link = page.getByRole('link', { name: 'TypedError' }).first()
  await link.click()
  await page.locator('html[data-pending]').waitFor({ state: 'attached' })
  await page.keyboard.press('/')
  await page.keyboard.type('pay')
  release()
  await expect(page.locator('[data-pending]')).toHaveCount(0)
  await page.keyboard.type('ment')
  await expect(page.locator(':focus')).toHaveValue('payment')
  await expect(page).toHaveURL(list)
  expect(changes).toEqual([])

  await link.click()
  await expect(page.getByRole('heading', { name: 'TypedError' })).toBeVisible()
})

test('text that is typed just before the next page is rendered stays', async ({ openPage }) => {
  const page = await openPage({ reducedMotion: 'no-preference' })
  const log = `${server.origin}/activities?range=1h`
  await page.goto(log)
  await hydrated(page)
  const search = page.getByLabel('Search the log')
  await search.focus()
  await page.evaluate(() => {
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = commit => {
      document.execCommand('insertText', false, 'typed')
      return start(commit)
    }
  })
  await page.evaluate(() => window.navigation.navigate('/settings'))
  await expect(search).toHaveValue('typed')
  await expect(page.locator('[data-pending]')).toHaveCount(0)
  await expect(page).toHaveURL(log)
  await expect(page.getByRole('main')).toHaveAttribute('data-screen', 'activities')
})

test('if the visitor stops a Back navigation, the history entry still leads to the same page', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(`${server.origin}/dashboard`)
  await hydrated(page)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.locator('main[data-screen="settings"]').waitFor()
  await page.route('**/dashboard', () => {})
  await page.evaluate(() => history.back())
  await page.locator('html[data-pending]').waitFor({ state: 'attached' })
  await page.evaluate(() => window.stop())
  await expect(page.locator('[data-pending]')).toHaveCount(0)
  await page.unroute('**/dashboard')
  await page.reload()
  await page.locator('main[data-screen="dashboard"]').waitFor()
})

test('reloading while another page loads opens that page', async ({ openPage }) => {
  const page = await openPage()
  for (const reload of [() => page.reload(), () => page.evaluate(() => location.reload())]) {
    await page.goto(`${server.origin}/settings`)
    await hydrated(page)
    await page.route('**/dashboard', () => {}, { times: 1 })
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.locator('html[data-pending]').waitFor({ state: 'attached' })
    await reload()
    await page.locator('main[data-screen="dashboard"]').waitFor()
    await expect(page).toHaveURL(`${server.origin}/dashboard`)
  }
})

test('a page from another build is loaded in full, and only once', async ({ openPage }) => {
  const page = await openPage()
  const loads = documents(page)
  await page.goto(server.origin)
  await hydrated(page)
  await page.route('**/ui', async route => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace(/"build":"\w+"/, '"build":"another"')
    await (route.request().isNavigationRequest()
      ? route.continue()
      : route.fulfill({ response: answer, body }))
  })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'UI' }).click()
  await page.locator('main[data-screen="ui"]').waitFor()
  await hydrated(page)
  expect(loads.length).toBe(2)
})
