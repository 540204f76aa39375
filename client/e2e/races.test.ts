import type { Route } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { expect, hydrated, type OpenedPage, serverForFile, test } from './fixtures.ts'

const server = serverForFile()

/** Creates a failure and returns the URL of its page. */
async function fail(name: string): Promise<string> {
  await server.send({
    level: 50,
    time: Date.now(),
    name: 'shop',
    version: '1.0.0',
    msg: `${name} failed`,
    err: {
      type: `${name}Error`,
      message: `no ${name}`,
      stack: `${name}Error: no ${name}\n    at ${name} (/app/${name}.ts:4:1)`,
    },
  })
  const html = await (await fetch(server.origin + paths.development({ state: 'all', q: name }))).text()
  const [, failure = ''] = /failure=(\w+)/.exec(html) ?? []
  return server.origin + paths.development({ failure })
}

/** Delays matching requests until `release` is called. */
async function hold(page: OpenedPage, matches: (url: URL, method: string) => boolean) {
  const held: Route[] = []
  let isHolding = true
  let arrive: () => void
  const arrived = new Promise<void>(resolve => (arrive = resolve))
  await page.route('**', route => {
    const request = route.request()
    if (!isHolding || !matches(new URL(request.url()), request.method())) return route.continue()
    held.push(route)
    arrive()
  })
  return {
    arrived,
    async release() {
      isHolding = false
      for (const route of held) await route.continue()
    },
  }
}

/** Runs a command from the palette. */
async function runCommand(page: OpenedPage, typed: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Commands' })
  await expect(dialog.getByRole('status')).toHaveText(/\d results?/)
  await page.keyboard.type(typed)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}

test('a form changes the displayed failure, even if the address bar already contains the URL of the next page', async ({
  openPage,
}) => {
  const [alpha, gamma] = [await fail('alpha'), await fail('gamma')]
  const page = await openPage()
  await page.goto(gamma)
  await hydrated(page)
  await page.evaluate(url => window.navigation.navigate(url), alpha)
  await expect(page.getByRole('heading', { name: 'alphaError' })).toBeVisible()

  const loading = await hold(page, (url, method) => method === 'GET' && url.href.startsWith(gamma))
  await page.evaluate(() => history.back())
  await loading.arrived
  await expect(page.getByRole('heading', { name: 'alphaError' })).toBeVisible()
  const posted = page.waitForResponse(response => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await posted
  await loading.release()
  await expect(page.getByRole('heading', { name: 'gammaError' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mute', exact: true })).toBeVisible()
  await page.goto(alpha)
  await expect(page.getByText('Muted').filter({ visible: true }).first()).toBeVisible()
})

test('a queued or resubmitted form changes the failure that was shown when the visitor submitted it', async ({
  openPage,
}) => {
  const [first, second, third] = [await fail('waiting'), await fail('opened'), await fail('again')]
  const page = await openPage()
  page.expectConsoleMessage('ERR_')
  await page.goto(first)
  await hydrated(page)
  const saving = await hold(page, (_, method) => method === 'POST')
  await page.getByLabel('Add a note').fill('noted before')
  await page.getByRole('button', { name: 'Add note' }).click()
  await saving.arrived
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await page.evaluate(url => window.navigation.navigate(url), second)
  await expect(page.getByRole('heading', { name: 'openedError' })).toBeVisible()
  const muted = page.waitForResponse(
    response => response.request().postData()?.includes('form=mute') === true,
  )
  await saving.release()
  await muted
  await page.goto(second)
  await expect(page.getByRole('button', { name: 'Mute', exact: true })).toBeVisible()

  await hydrated(page)
  const failing = await hold(page, (_, method) => method === 'POST')
  await page.locator('summary', { hasText: 'Resolve in a specific release' }).click()
  await page.getByLabel('Fixed in').fill('1.1.0')
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await failing.arrived
  page.once('dialog', dialog => dialog.accept())
  await page.evaluate(url => window.navigation.navigate(url), third)
  await expect(page.getByRole('heading', { name: 'againError' })).toBeVisible()
  await expect(page.getByLabel('Fixed in'), 'the text belonged to another failure').toHaveValue('')
  await page.context().setOffline(true)
  await failing.release()
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  await tryAgain.waitFor()
  await page.context().setOffline(false)
  const mutedAgain = page.waitForResponse(response => response.request().method() === 'POST')
  await tryAgain.click()
  expect((await mutedAgain).url()).toContain(new URL(second).search)
  await expect(page.getByRole('heading', { name: 'againError' })).toBeVisible()
  await page.goto(first)
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await expect(page.getByText('noted before')).toBeVisible()
})

test('a button that disappears while its form is being saved does not disable other forms', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin + paths.settings())
  await hydrated(page)
  const redaction = page.getByRole('region', { name: 'Redaction', exact: true })
  const field = redaction.getByLabel('Additional paths')
  const version = redaction.locator('input[name="version"]')
  const storedVersion = await version.inputValue()
  await field.fill('user.email')
  await redaction.getByRole('button', { name: 'Save' }).click()
  const saving = await hold(page, (_, method) => method === 'POST')
  await redaction.getByRole('button', { name: 'Undo' }).click()
  await saving.arrived
  await field.pressSequentially('x')
  await saving.release()
  // Text that is saved before the page shows the undo would conflict with it.
  await expect(version).toHaveValue(storedVersion)
  await field.fill('user.phone')
  await redaction.getByRole('button', { name: 'Save' }).click()
  await expect(redaction.getByText('Redaction saved.')).toBeVisible()
  await expect(field).toHaveValue('user.phone')
})

test('the list shows a change, even if it was prefetched before it or opened while the form was being saved', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(await fail('prefetched'))
  await hydrated(page)
  const list = page.getByRole('navigation').getByRole('link', { name: 'Development', exact: true })
  const prefetched = page.waitForResponse(server.origin + paths.development())
  await list.hover()
  await (await prefetched).finished()
  await page
    .getByRole('button', { name: /^Resolve/ })
    .first()
    .press('Enter')
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await list.press('Enter')
  await expect(page.getByRole('heading', { name: 'Failures' }).first()).toBeVisible()
  await expect(page.getByText('no prefetched')).toHaveCount(0)

  await page.goto(await fail('saved'))
  await hydrated(page)
  const saving = await hold(page, (_, method) => method === 'POST')
  await page
    .getByRole('button', { name: /^Resolve/ })
    .first()
    .press('Enter')
  await saving.arrived
  await list.press('Enter')
  const row = page.getByRole('row').filter({ hasText: 'no saved' })
  await expect(row).toHaveCount(1)
  await saving.release()
  await expect(row).toHaveCount(0)
})

test('two preferences that are changed before the first one is saved are both saved, and can be undone', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin + paths.settings())
  await hydrated(page)
  const preferences = page.getByRole('region', { name: 'Preferences', exact: true })
  const saving = await hold(page, (_, method) => method === 'POST')
  await preferences.getByLabel('Default time range').selectOption('6h')
  await saving.arrived
  await preferences.getByRole('radio', { name: 'Dark' }).check({ force: true })
  await saving.release()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(preferences.getByLabel('Default time range')).toHaveValue('6h')
  await expect(preferences.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect(preferences.getByText('Unsaved changes')).toBeHidden()
})

test('if a form is rejected after the visitor has opened another screen, a notice leads back to the form and its text', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 422')
  await page.goto(server.origin + paths.settings())
  await hydrated(page)
  const days = page.getByRole('region', { name: 'Retention', exact: true }).getByLabel('Days')
  await days.fill('many')
  const saving = await hold(page, (_, method) => method === 'POST')
  await days.press('Enter')
  await saving.arrived
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.locator('main[data-screen="home"]')).toBeVisible()
  await saving.release()
  const notice = page.getByRole('alert').filter({ hasText: 'Not saved. The form contains an error.' })
  await notice.getByRole('button', { name: 'Try again' }).click()
  await expect(days).toHaveValue('many')
  await expect(days).toBeInViewport()
  await expect(notice).toBeHidden()
  await expect(page).toHaveURL(`${server.origin}${paths.settings()}#retention`)
  page.once('dialog', dialog => dialog.accept())
  await page.goBack()
  await expect(page.locator('main[data-screen="home"]')).toBeVisible()
})

test('a theme chosen in the palette remains when an event is opened and closed, and when another preference is changed', async ({
  openPage,
}) => {
  await fail('theme')
  const page = await openPage()
  await page.goto(server.origin + paths.activities())
  await hydrated(page)
  await runCommand(page, 'theme dark')
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('main').getByRole('link', { name: 'theme failed' }).first().click()
  const close = page.getByRole('link', { name: /^Close/ })
  await expect(close).toBeVisible()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await close.click()
  await expect(close).toBeHidden()
  await expect(html).toHaveAttribute('data-theme', 'dark')

  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  const preferences = page.getByRole('region', { name: 'Preferences', exact: true })
  await expect(preferences.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await preferences.getByRole('radio', { name: '02:03 pm' }).check({ force: true })
  await expect(preferences.getByText('Preferences saved.')).toBeVisible()
  await expect(html).toHaveAttribute('data-theme', 'dark')
})

test('suggestions for earlier text are not accepted', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities())
  await hydrated(page)
  const box = page.getByRole('main').getByRole('searchbox')
  await box.click()
  await box.pressSequentially('serv')
  await page
    .getByRole('listbox', { name: 'Suggestions' })
    .getByRole('option', { name: /^service:/ })
    .waitFor()
  const composing = await box.evaluate(input =>
    input.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', isComposing: true, cancelable: true }),
    ),
  )
  expect(composing, 'the input method handles the key').toBe(true)
  const loading = await hold(page, url => url.pathname === '/complete')
  await page.keyboard.press('ArrowDown')
  await box.pressSequentially('ic')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.get('q') === 'servic')
  await loading.release()
})

test('suggestions disappear when Back restores an earlier search', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ q: 'earlier' }))
  await hydrated(page)
  const box = page.getByRole('main').getByRole('searchbox')
  await box.fill('later')
  await page.keyboard.press('Enter')
  // Typing cancels a navigation, so wait until the page is shown.
  await expect(box).toHaveAttribute('value', 'later')
  await box.fill('serv')
  const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
  await suggestions.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.goBack()
  await expect(box).toHaveValue('earlier')
  await expect(suggestions).toBeHidden()
  await expect(box).not.toHaveAttribute('aria-activedescendant')
})

test('an event that is closed while the code that shows it is loading does not open later', async ({
  openPage,
}) => {
  await fail('closed')
  const page = await openPage()
  await page.clock.install()
  await page.goto(server.origin + paths.activities({ q: 'closed', range: { span: '1h' } }))
  await hydrated(page)
  await page.getByRole('button', { name: 'Live' }).click()
  await page.locator('[data-connection=open]').waitFor()
  const loading = await hold(page, url => url.pathname.includes('event-parts'))
  await page.getByRole('main').getByRole('link', { name: 'closed failed' }).press('Enter')
  await loading.arrived
  await page.evaluate(() => history.back())
  await page.waitForFunction(
    () => !location.search.includes('event=') && window.navigation.transition === null,
  )
  await loading.release()

  // The next refresh of the counts replaces the page.
  await server.send({ level: 30, time: Date.now(), name: 'shop', msg: 'closed later' })
  await page.clock.fastForward(5_000)
  await expect(page.getByRole('link', { name: /^info 1/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Open event' })).toHaveCount(0)
})

test('a click that ends before the code for dragging arrives does not resize the column', async ({
  openPage,
}) => {
  await fail('clicked')
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  page.expectConsoleMessage('ERR_FAILED')
  await page.goto(server.origin + paths.activities({ q: 'clicked', columns: 'service,message' }))
  await hydrated(page)
  const heading = page.getByRole('columnheader', { name: 'Service' })
  const box = await heading.boundingBox()
  if (box === null) throw new Error('The heading is not visible')
  const [x, y] = [box.x + box.width - 3, box.y + box.height / 2]
  const loading = await hold(page, url => url.pathname.includes('drag-columns'))
  await page.route(/drag-columns/, route => route.abort(), { times: 1 })
  const failed = page.waitForEvent('requestfailed')
  await page.mouse.move(x, y)
  await page.mouse.down()
  await failed
  await page.mouse.up()

  await page.mouse.down()
  await loading.arrived
  await page.mouse.up()
  const loaded = page.waitForResponse(/drag-columns/)
  await loading.release()
  const url = (await loaded).url()
  await page.evaluate(url => import(url), url)
  await page.mouse.move(x - 60, y)
  expect(await heading.boundingBox()).toEqual(box)

  await page.mouse.move(x, y)
  await page.mouse.down({ button: 'right' })
  await page.mouse.move(x - 60, y)
  await page.mouse.up({ button: 'right' })
  expect(await heading.boundingBox(), 'the right button opens the browser’s context menu').toEqual(box)
})
