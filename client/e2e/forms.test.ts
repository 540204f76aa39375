import { failurePage } from '../../server/render/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { settingsForms } from '../../shared/screens/settings.ts'
import { screens } from '../../shared/screens.ts'
import { checkoutDigest } from './events.ts'
import { expect, hydrated, type OpenedPage, serverForFile, test } from './fixtures.ts'
import { startProxy } from './proxy.ts'

const server = serverForFile()
const settingsUrl = () => server.origin + screens.settings.path

/** Opens a page and collects the URLs of the documents that it loads afterwards. */
async function open(page: OpenedPage, url: string): Promise<{ documents: string[] }> {
  await page.goto(url)
  await hydrated(page)
  const documents: string[] = []
  page.on('request', request => {
    if (request.isNavigationRequest()) documents.push(request.url())
  })
  return { documents }
}

/** Disables the application's listener, so that the browser loads the response to a form as a document. */
async function loadNextForm(page: OpenedPage): Promise<void> {
  await page.evaluate(() => addEventListener('submit', event => event.stopImmediatePropagation(), true))
}

function part(page: OpenedPage, name: string) {
  return page.getByRole('region', { name, exact: true })
}

/** Collects the forms that the page submits. */
function posts(page: OpenedPage): string[] {
  const bodies: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().startsWith(settingsUrl())) {
      bodies.push(request.postData() ?? '')
    }
  })
  return bodies
}

const focused = (page: OpenedPage) => page.locator(':focus')

test('saving a form preserves the document, the scroll position, the focus and text in other forms', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 600 } })
  const { documents } = await open(page, settingsUrl())
  await part(page, 'Tokens').getByLabel('Name').fill('not yet')
  const redaction = part(page, 'Redaction')
  await redaction.getByLabel('Additional paths').fill('user.email')
  await redaction.getByLabel('Additional paths').press('Tab')
  const save = redaction.getByRole('button', { name: 'Save' })
  await save.focus()
  const topOf = async () => (await save.boundingBox())?.y ?? 0
  const top = await topOf()
  await page.keyboard.press('Enter')
  await expect(redaction.getByText('Redaction saved.')).toBeInViewport()
  await expect(page.locator('#announcer')).toContainText('Redaction saved.')
  await expect(save).toBeFocused()
  expect(Math.abs((await topOf()) - top)).toBeLessThan(1)
  await expect(part(page, 'Tokens').getByLabel('Name')).toHaveValue('not yet')
  expect(page.url()).toBe(`${settingsUrl()}#redaction`)
  expect(documents).toEqual([])
})

test('a document that a form loaded offers to undo the change once, and asks before it is closed with rejected text', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 422')
  await open(page, settingsUrl())
  const redaction = part(page, 'Redaction')
  await loadNextForm(page)
  await redaction.getByLabel('Additional paths').fill('user.phone')
  await redaction.getByRole('button', { name: 'Save' }).click()
  await expect(redaction.getByText('Redaction saved.')).toBeVisible()
  await expect(page).toHaveURL(`${settingsUrl()}#redaction`)
  await expect(redaction.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.reload()
  await expect(redaction.getByLabel('Additional paths')).toHaveValue('user.phone')
  await expect(redaction.getByRole('button', { name: 'Undo' })).toHaveCount(0)

  await hydrated(page)
  await loadNextForm(page)
  const retention = part(page, 'Retention')
  await retention.getByLabel('Days').fill('many')
  await retention.getByLabel('Days').press('Enter')
  await expect(retention.getByRole('alert')).toContainText('Not saved.')
  await hydrated(page)
  // Browsers ask only after the visitor has interacted with the document.
  await retention.getByRole('heading').click()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()

  await part(page, 'Preferences').getByLabel('Compact').check({ force: true })
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await expect(retention.getByLabel('Days'), 'saving another form keeps the text').toHaveValue('many')
})

test('an invalid form shows the problem without a page load, and keeps its text when another form is saved', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 422')
  const { documents } = await open(page, settingsUrl())
  const days = part(page, 'Retention').getByLabel('Days')
  await days.fill('many')
  await days.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Not saved.')
  await expect(days).toBeFocused()
  await expect(days).toHaveAttribute('aria-invalid', 'true')
  await expect(days).toHaveValue('many')
  const checked = page.waitForResponse(settingsUrl())
  // The visitor presses Back after visiting another website.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await (await checked).finished()
  const otherTab = page.context().waitForEvent('page')
  await part(page, 'Retention')
    .getByRole('link', { name: 'Discard' })
    .click({ modifiers: ['Control'] })
  await (await otherTab).close()
  await expect(page.getByRole('alert'), 'the restored page has not changed').toContainText('Not saved.')
  await part(page, 'Preferences').getByLabel('Compact').check({ force: true })
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await expect(days).toHaveValue('many')
  await expect(part(page, 'Retention').getByText('Unsaved changes')).toBeVisible()
  await days.fill('30')
  await days.press('Enter')
  await expect(part(page, 'Retention').getByText('Retention saved.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(documents).toEqual([])
})

test('a reset button neither moves Save, so a double click saves, nor receives Enter', async ({
  openPage,
}) => {
  const page = await openPage()
  await open(page, settingsUrl())
  const level = part(page, 'Log level')
  const save = level.getByRole('button', { name: 'Save' })
  const reset = level.getByRole('button', { name: 'Reset to the default' })
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    if (await reset.isVisible()) await reset.click()
    await expect(reset).toHaveCount(0)
    await level.getByLabel('Minimum level').selectOption('debug')
    const xOf = async () => (await save.boundingBox())?.x
    const x = await xOf()
    await save.click()
    await expect(reset).toBeVisible()
    expect(await xOf()).toBe(x)
  }

  const retention = part(page, 'Retention')
  const days = retention.getByRole('textbox', { name: 'Days' })
  for (const value of ['40', '41']) {
    await days.fill(value)
    await days.press('Enter')
    await expect(retention.getByText('Retention saved.')).toBeVisible()
    await expect(retention.getByRole('button', { name: 'Reset to the default' })).toBeVisible()
    await expect(days).toHaveValue(value)
  }
})

test('going back after saving twice leaves the screen, without submitting again', async ({ openPage }) => {
  const page = await openPage()
  const { documents } = await open(page, server.origin + screens.home.path)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  const level = part(page, 'Log level')
  const bodies = posts(page)
  for (const value of ['debug', 'warn']) {
    await level.getByLabel('Minimum level').selectOption(value)
    await level.getByRole('button', { name: 'Save' }).click()
    await expect(level.getByText(`Changed here. Default: info`)).toBeVisible()
    await expect(page.locator('form[aria-busy]')).toHaveCount(0)
  }
  await page.goBack()
  await expect(page.locator('main[data-screen="home"]')).toBeVisible()
  await page.goForward()
  await expect(level.getByLabel('Minimum level')).toHaveValue('warn')
  expect(bodies.length).toBe(2)
  expect(documents).toEqual([])
})

test('edited text does not replace a change from another tab, even if another form is saved before it', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 422')
  await open(page, settingsUrl())
  const redaction = part(page, 'Redaction')
  const typed = redaction.getByLabel('Additional paths')
  const save = redaction.getByRole('button', { name: 'Save' })
  await typed.fill('from.here')
  await fetch(settingsUrl(), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: server.origin },
    body: new URLSearchParams({ form: settingsForms.redaction, paths: 'from.another.tab' }),
  })
  await part(page, 'Preferences').getByLabel('Compact').check({ force: true })
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await save.click()
  await expect(redaction.getByText('The stored value is “from.another.tab”.')).toBeVisible()
  await expect(typed).toHaveValue('from.here')

  await typed.fill('from.another.tab\nfrom.here')
  await save.click()
  await expect(redaction.getByText('Redaction saved.')).toBeVisible()
  await typed.fill('from.here')
  await save.click()
  await expect(redaction.getByText('Redaction saved.')).toBeVisible()
  await expect(page.locator('form[aria-busy]')).toHaveCount(0)
  await page.reload()
  await expect(typed).toHaveValue('from.here')
})

test('text that is entered while a form is being saved can be saved, too', async ({ openPage }) => {
  const page = await openPage()
  await open(page, settingsUrl())
  const redaction = part(page, 'Redaction')
  const typed = redaction.getByLabel('Additional paths')
  const save = redaction.getByRole('button', { name: 'Save' })
  await typed.fill('saved.first')
  await typed.evaluate(field => {
    const enter = () => {
      if (!(field instanceof HTMLTextAreaElement)) return
      field.value = 'saved.second'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    navigation.addEventListener('navigate', enter, { once: true })
  })
  await save.click()
  await expect(redaction.getByText('Unsaved changes')).toBeVisible()
  await expect(page.locator('form[aria-busy]')).toHaveCount(0)
  await expect(typed).toHaveValue('saved.second')
  await save.click()
  await expect(redaction.getByText('Redaction saved.')).toBeVisible()
})

test('a double click creates one token, whose secret is shown once, beside a token from another tab', async ({
  openPage,
}) => {
  const page = await openPage()
  await open(page, settingsUrl())
  await fetch(settingsUrl(), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: server.origin },
    body: new URLSearchParams({
      form: settingsForms.makeToken,
      name: 'from another tab',
      'scope-ingest': 'on',
    }),
  })
  const bodies = posts(page)
  const tokens = part(page, 'Tokens')
  await tokens.getByLabel('Name').fill('once')
  await tokens.getByRole('button', { name: 'Create token' }).dblclick()
  const secret = tokens.locator('code').getByText(/^sxp_/)
  await expect(secret).toBeInViewport()
  await expect(focused(page)).toContainText('Token “once” created.')
  await expect(tokens.getByLabel('Name')).toHaveValue('')
  await expect(tokens.getByText('from another tab', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.locator('main[data-screen="home"]')).toBeVisible()
  await page.goBack()
  await expect(tokens.getByText('once', { exact: true })).toBeVisible()
  await expect(secret).toHaveCount(0)
  expect(bodies.length).toBe(1)
})

test('a new token is hidden before the page can enter the back/forward cache, and the next one is shown after it', async ({
  openPage,
}) => {
  const page = await openPage()
  await open(page, settingsUrl())
  const tokens = part(page, 'Tokens')
  const create = async (name: string) => {
    await tokens.getByLabel('Name').fill(name)
    await tokens.getByRole('button', { name: 'Create token' }).click()
    await expect(tokens.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  }
  const secret = tokens.locator('code').getByText(/^sxp_/)
  await create('before leaving')
  await expect(secret).toBeVisible()
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
  await expect(secret).toHaveCount(0)
  await create('after returning')
  await expect(tokens.getByText('Token “after returning” created.')).toBeVisible()
  await expect(secret).toBeVisible()
})

test('a form that does not reach the server keeps its text and can be submitted again, and its notice remains when another page opens', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('ERR_CONNECTION_REFUSED')
  const { documents } = await open(page, settingsUrl())
  const tokens = part(page, 'Tokens')
  await tokens.getByLabel('Name').fill('patient')
  await page.route(settingsUrl(), route => route.abort('connectionrefused'), { times: 1 })
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Not saved. Can’t reach Sixpane.' })
  await expect(notice).toBeVisible()
  await expect(tokens.getByLabel('Name')).toHaveValue('patient')
  await notice.getByRole('button', { name: 'Try again' }).click()
  await expect(tokens.getByText('Token “patient” created.')).toBeVisible()
  await expect(notice).toBeHidden()

  await page.route(settingsUrl(), route => route.abort('connectionrefused'), { times: 1 })
  await tokens.getByLabel('Name').fill('left behind')
  await tokens.getByRole('button', { name: 'Create token' }).click()
  await expect(notice).toBeVisible()
  page.once('dialog', dialog => dialog.accept())
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.locator('main[data-screen="dashboard"]').waitFor()
  await page.waitForFunction(() => window.navigation.transition === null)
  await expect(notice).toBeVisible()
  expect(documents).toEqual([])
})

test('a rejected form keeps its text and shows the reason, and a server-side exception shows the failure page', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('the server responded with a status of')
  const { documents } = await open(page, settingsUrl())
  const tokens = part(page, 'Tokens')
  const refusals: [status: number, reason: string][] = [
    [401, 'Not saved. Sign in, then try again.'],
    [403, 'Not saved. Sixpane refused the request.'],
    [429, 'Not saved. Too many requests. Wait 7 s, then try again.'],
  ]
  for (const [status, reason] of refusals) {
    await page.route(settingsUrl(), route => route.fulfill({ status, headers: { 'retry-after': '7' } }), {
      times: 1,
    })
    await tokens.getByLabel('Name').fill(`refused ${status}`)
    await tokens.getByRole('button', { name: 'Create token' }).click()
    const notice = page.getByRole('alert').filter({ hasText: reason })
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect(tokens.getByRole('button', { name: 'Create token' })).toBeFocused()
    await expect(tokens.getByLabel('Name')).toHaveValue(`refused ${status}`)
  }
  const redaction = part(page, 'Redaction')
  await redaction.getByLabel('Additional paths').fill('x'.repeat(70_000))
  await redaction.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The text is too long.' })).toBeVisible()
  await expect(redaction.getByLabel('Additional paths')).toHaveValue(/^x{70000}$/)

  const body = failurePage('server', 'x.example', '7')
  await page.route(settingsUrl(), route => route.fulfill({ status: 500, contentType: 'text/html', body }), {
    times: 1,
  })
  await part(page, 'Log level').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Application error: a server-side exception.*Digest: 7$/)
  expect(documents).toEqual([])
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page.locator('main[data-screen="home"]')).toBeVisible()
})

test('a saved form is not sent again if the server is too busy to show the page after it, which is loaded again', async ({
  openPage,
  afterTest,
}) => {
  let sent = 0
  let refused = 0
  const proxy = await startProxy(server, ({ method, url }, response) => {
    if (url?.startsWith(screens.settings.path) !== true) return false
    if (method === 'POST') sent += 1
    if (method === 'POST' || refused === 0) return false
    refused -= 1
    response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Sixpane is busy</h1>')
    return true
  })
  afterTest(proxy.close)
  const page = await openPage()
  page.expectConsoleMessage('status of 503')
  const { documents } = await open(page, proxy.origin + screens.settings.path)
  const retention = part(page, 'Retention')
  const days = retention.getByRole('textbox', { name: 'Days' })
  await part(page, 'Tokens').getByLabel('Name').fill('not yet')
  refused = 1
  await days.fill('45')
  await days.press('Enter')
  await expect(retention.getByText('Retention saved.')).toBeVisible()
  await expect(retention.getByText('Unsaved changes')).toHaveCount(0)
  await expect(part(page, 'Tokens').getByLabel('Name')).toHaveValue('not yet')
  expect(documents).toEqual([])

  await part(page, 'Tokens').getByLabel('Name').fill('')
  refused = 3
  await days.fill('46')
  await days.press('Enter')
  await expect(page.getByRole('heading', { name: 'Sixpane is busy' })).toBeVisible()
  await page.reload()
  await expect(retention.getByText('Retention saved.')).toBeVisible()
  await expect(days).toHaveValue('46')
  expect(sent).toBe(2)
})

test('each attempt to leave a screen with unsaved text asks for confirmation once', async ({ openPage }) => {
  const page = await openPage()
  await open(page, settingsUrl())
  const answers = [false, true]
  const questions: string[] = []
  page.on('dialog', async dialog => {
    questions.push(dialog.message())
    await (answers.shift() ? dialog.accept() : dialog.dismiss())
  })
  await part(page, 'Tokens').getByLabel('Name').fill('half')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(part(page, 'Tokens').getByLabel('Name')).toHaveValue('half')
  expect(new URL(page.url()).pathname).toBe(screens.settings.path)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.locator('main[data-screen="home"]')).toBeVisible()
  expect(questions.length).toBe(2)
})

test('leaving a screen with rejected text asks for confirmation', async ({ openPage, shop }) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 422')
  const questions: string[] = []
  page.on('dialog', async dialog => {
    if (dialog.type() === 'beforeunload') return dialog.accept()
    questions.push(dialog.message())
    await dialog.dismiss()
  })
  const leave = async () => {
    questions.length = 0
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await expect.poll(() => questions.length).toBe(1)
  }
  const failure = `${shop.origin}${paths.development({ digest: checkoutDigest })}`
  await open(page, failure)
  const note = page.getByLabel('Add a note')
  await note.fill('x'.repeat(5200))
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(note).toHaveAttribute('aria-invalid', 'true')
  await leave()
  await expect(note).toHaveValue('x'.repeat(5200))
  await note.fill('')
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.locator('main[data-screen="settings"]')).toBeVisible()

  await open(page, failure)
  const release = page.getByLabel('Fixed in')
  await page.locator('summary', { hasText: 'Resolve in a specific release' }).click()
  await release.fill('x'.repeat(500))
  await page.getByRole('button', { name: 'Resolve in this release' }).click()
  await expect(release).toHaveAttribute('aria-invalid', 'true')
  await leave()

  await open(page, shop.origin + screens.activities.path)
  const name = page.getByLabel('Save search as')
  await page.getByText('Saved', { exact: true }).click()
  await name.evaluate(field => field.removeAttribute('maxlength'))
  await name.fill('x'.repeat(100))
  await name.press('Enter')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await leave()
})

test('rejected and previewed text stay visible when another form is saved', async ({ openPage }) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 422')
  await open(page, settingsUrl())
  const redaction = part(page, 'Redaction')
  const typed = redaction.getByLabel('Additional paths')
  const sample = redaction.getByLabel('Log line', { exact: true })
  const preview = redaction.getByRole('button', { name: 'Preview' })
  const density = async (name: 'Compact' | 'Comfortable') => {
    await part(page, 'Preferences').getByLabel(name).check({ force: true })
    await expect(page.locator('html')).toHaveAttribute('data-density', name.toLowerCase())
  }
  await redaction.getByText('Preview on a log line').click()
  await sample.fill('not JSON')
  await preview.click()
  await expect(redaction.getByRole('alert')).toContainText('Not saved.')
  await density('Compact')
  await expect(redaction.getByText('Unsaved changes')).toBeVisible()
  await expect(sample).toBeVisible()
  await expect(sample).toHaveValue('not JSON')

  await typed.fill('user.nickname')
  for (const line of ['{"msg":"first"}', '{"msg":"second"}']) {
    await sample.fill(line)
    await preview.click()
    await expect(redaction.getByRole('figure', { name: 'Redacted log line' })).toContainText(
      JSON.parse(line).msg,
    )
    await expect(page.locator('form[aria-busy]')).toHaveCount(0)
  }
  await density('Comfortable')
  await expect(redaction.getByText('Unsaved changes')).toBeVisible()
  await expect(typed).toHaveValue('user.nickname')
  await expect(sample).toBeVisible()
  await expect(sample).toHaveValue('{"msg":"second"}')
})

test('a changed preference is saved and applied immediately, and can be undone', async ({ openPage }) => {
  const page = await openPage()
  const { documents } = await open(page, settingsUrl())
  const preferences = part(page, 'Preferences')
  await expect(preferences.getByRole('button', { name: 'Save preferences' })).toBeHidden()
  await preferences.getByRole('radio', { name: 'Light' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(preferences.getByRole('radio', { name: 'Dark' })).toBeFocused()
  await preferences.getByLabel('Default time range').selectOption('6h')
  await expect(page.locator('form[aria-busy]')).toHaveCount(0)
  await preferences.getByRole('button', { name: 'Undo' }).click()
  await expect(focused(page)).toHaveText('Change undone.')
  await expect(preferences.getByLabel('Default time range')).toHaveValue('1h')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  expect(documents).toEqual([])
})

test('a changed preference does not reset one that was changed in another tab', async ({ openPage }) => {
  const page = await openPage()
  await open(page, settingsUrl())
  const preferences = part(page, 'Preferences')
  const otherTab = await page.context().newPage()
  await otherTab.goto(settingsUrl())
  await hydrated(otherTab)
  await otherTab.getByRole('radio', { name: 'Dark' }).check({ force: true })
  await expect(otherTab.locator('html')).toHaveAttribute('data-theme', 'dark')

  await preferences.getByLabel('Compact').check({ force: true })
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(preferences.getByRole('radio', { name: 'Dark' })).toBeChecked()
})

test('a preference that is changed back before it is saved keeps its former value', async ({ openPage }) => {
  const page = await openPage()
  await open(page, settingsUrl())
  const preferences = part(page, 'Preferences')
  await preferences.getByRole('radio', { name: 'Compact' }).evaluate(radio => {
    if (!(radio instanceof HTMLInputElement)) return
    radio.click()
    const comfortable = radio.form?.querySelector('input[value=comfortable]')
    if (comfortable instanceof HTMLElement) comfortable.click()
  })
  await expect(preferences.getByText('Preferences saved.')).toBeVisible()
  await expect(page.locator('form[aria-busy]')).toHaveCount(0)
  await expect(preferences.getByRole('radio', { name: 'Comfortable' })).toBeChecked()
  await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable')
})

test('saving preferences loses no text, does not take the focus from the next field, and does not delay a link', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 422')
  await open(page, settingsUrl())
  const preferences = part(page, 'Preferences')
  const zone = preferences.getByLabel('Time zone')
  await zone.evaluate(input => {
    // After saving, a navigation shows the page in the response. Enter the text when that navigation starts.
    const enter = () => {
      if (!(input instanceof HTMLInputElement)) return
      input.value = 'Asia/Tokyo'
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    navigation.addEventListener('navigate', enter, { once: true })
  })
  await preferences.getByLabel('Dark', { exact: true }).check({ force: true })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(preferences.locator('form[aria-busy]')).toHaveCount(0)
  await expect(zone).toHaveValue('Asia/Tokyo')
  await expect(preferences.getByText('Unsaved changes')).toBeVisible()

  await zone.fill('Mars/Base')
  await preferences.getByLabel('Default time range').focus()
  await expect(preferences.getByRole('alert')).toContainText('Not saved.')
  await expect(preferences.getByLabel('Default time range')).toBeFocused()

  await zone.fill('Asia/Tokyo')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.locator('main[data-screen="home"]')).toBeVisible()
})

test('a form shows unsaved changes without changing its height, and can discard unsaved and rejected text', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 422')
  const { documents } = await open(page, settingsUrl())
  const retention = part(page, 'Retention')
  const days = retention.getByRole('textbox', { name: 'Days' })
  const heightOf = async () => (await retention.boundingBox())?.height
  const before = await heightOf()
  await expect(retention.getByRole('button', { name: 'Save' })).toHaveAttribute('data-kind', 'plain')
  const stored = await days.inputValue()
  await days.fill('12')
  await expect(retention.getByText('Unsaved changes')).toBeVisible()
  await expect(retention.getByRole('button', { name: 'Save' })).toHaveAttribute('data-kind', 'primary')
  expect(await heightOf()).toBe(before)
  await retention.getByRole('button', { name: 'Discard' }).click()
  await expect(days).toHaveValue(stored)
  await expect(retention.getByText('Unsaved changes')).toHaveCount(0)

  await days.fill('many')
  await days.press('Enter')
  await retention.getByRole('link', { name: 'Discard' }).click()
  await expect(days).toHaveValue(stored)
  await expect(retention.getByText('Changes discarded.')).toBeVisible()
  await expect(retention).toBeFocused()

  const webhooks = part(page, 'Webhooks')
  const url = webhooks.getByLabel('URL')
  await url.fill('ftp://here')
  await url.press('Enter')
  await webhooks.getByRole('link', { name: 'Discard' }).click()
  await expect(webhooks.getByText('Changes discarded.')).toBeVisible()
  await expect(url).toHaveValue('')
  expect(documents).toEqual([])
})

test('the section at the top of the window is marked in the navigation', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await open(page, settingsUrl())
  const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Webhooks' })
  await expect(link).not.toHaveAttribute('aria-current')
  await link.click()
  await expect(link).toHaveAttribute('aria-current', 'true')
})
