import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { failingCheckout } from './events.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const events = failingCheckout(Date.now())
/** More events than fit on a page of the log. */
const steps = Array.from({ length: 150 }, (_, index) => ({
  level: 30,
  time: Date.now() - index * 1000,
  name: 'archive',
  msg: `step ${index}`,
}))
const server = serverForFile({}, server => server.send(...events, ...steps))
const shop = paths.activities({ q: 'service:shop', range: { span: '1h' } })

const headings = (page: Page) => page.locator('.events').getByRole('columnheader')

for (const javaScriptEnabled of [true, false]) {
  const how = `JavaScript ${javaScriptEnabled ? 'on' : 'off'}`

  test(`a search can be saved, opened and deleted, ${how}`, async ({ openPage }) => {
    const page = await openPage({ javaScriptEnabled })
    page.expectConsoleMessage('status of 422')
    await page.goto(server.origin + shop)
    if (javaScriptEnabled) await hydrated(page)
    const menu = page.getByText('Saved', { exact: true })
    const topOfLog = async () => (await page.locator('.events').boundingBox())?.y
    const top = await topOfLog()
    await menu.click()
    await page.getByLabel('Save search as').fill(`The shop, ${how}`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('main').getByText('Search saved.').waitFor()
    expect(await topOfLog(), 'the log does not move').toBe(top)

    await page.goto(server.origin + paths.activities())
    if (javaScriptEnabled) await hydrated(page)
    await menu.click()
    await page.getByRole('link', { name: `The shop, ${how}` }).click()
    const searchBox = page.getByRole('main').getByRole('searchbox')
    await expect(searchBox).toHaveValue('service:shop')

    // Browser validation accepts a name that consists of spaces. The server rejects it.
    await menu.click()
    await page.getByLabel('Save search as').fill('  ')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Enter a name').waitFor()
    await expect(searchBox).toHaveValue('service:shop')
    await page.getByRole('button', { name: `Delete The shop, ${how}` }).click()
    await page.getByRole('main').getByText('Saved search deleted.').waitFor()
    expect(await topOfLog(), 'the log does not move').toBe(top)
    const link = page.getByRole('link', { name: `The shop, ${how}`, includeHidden: true })
    await expect(link).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('main').getByText('Saved search restored.').waitFor()
    await expect(link).toHaveCount(1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('service:shop')
  })

  test(`columns can be chosen, moved in the menu and added from an event, and the choice is saved, ${how}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    await page.goto(server.origin + shop)
    if (javaScriptEnabled) await hydrated(page)
    await page.getByText('Columns', { exact: true }).click()
    await page.getByLabel('Route', { exact: true }).uncheck()
    await page.getByLabel('Width of Service (px)').fill('200')
    await page.keyboard.press('Enter')
    // This URL contains the columns. For a URL without columns, the last choice applies.
    await page.waitForURL(url => url.searchParams.has('columns'))
    expect(new URL(page.url()).searchParams.get('columns')).toContain('severity,service:200')
    await page.getByText('Columns', { exact: true }).click()
    await page.getByLabel('Attributes', { exact: true }).fill('user.plan')
    await page.getByRole('button', { name: 'Apply', exact: true }).last().click()
    await page.getByRole('columnheader', { name: 'user.plan' }).waitFor()
    await page.getByRole('cell', { name: 'pro', exact: true }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Route' }).count()).toBe(0)
    const box = await page.getByRole('columnheader', { name: 'Service' }).boundingBox()
    expect(Math.round(box?.width ?? 0)).toBe(200)
    await page.goto(server.origin + shop)
    await page.getByRole('columnheader', { name: 'user.plan' }).waitFor()

    await page.goto(server.origin + paths.activities({ q: 'service:shop', columns: 'service,message' }))
    if (javaScriptEnabled) await hydrated(page)
    await page.getByText('Columns', { exact: true }).click()
    const move = page.getByRole('button', { name: 'Move Message left' })
    const form = page.locator('form').filter({ has: move })
    const hasBox = await form.evaluate(element => element.querySelector('button')?.checkVisibility())
    expect(hasBox, 'Safari skips buttons without a box').toBe(true)
    await move.click()
    await expect(headings(page)).toHaveText(['Time', 'Message', 'Service'])
    await page.locator('.events tbody a', { hasText: 'checkout failed' }).first().click()
    await page.getByRole('link', { name: 'Show user.plan as a column' }).click()
    await expect(headings(page)).toHaveText(['Time', 'Message', 'Service', 'user.plan'])
    await expect(page.getByRole('region', { name: 'Open event' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Show user.plan as a column' })).toHaveCount(0)
  })

  test(`changing columns and saving a search keep the page and the open event, ${how}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    const columns = 'severity,service,message'
    const log = paths.activities({ q: 'service:archive', range: { span: '24h' }, columns })
    await page.goto(server.origin + log)
    if (javaScriptEnabled) await hydrated(page)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByRole('link', { name: 'step 120' }).click()
    const isUnchanged = async () => {
      await expect(page.getByRole('region', { name: 'Open event' })).toContainText('step 120')
      await expect(page.locator('.events tbody tr').first()).toContainText('step 100')
    }
    // By keyboard, because the open event covers the tools.
    const press = async (key: string, element: Locator) => {
      await element.focus()
      await page.keyboard.press(key)
    }
    await isUnchanged()
    await press('Enter', page.getByText('Columns', { exact: true }))
    await press('Space', page.getByLabel('Service', { exact: true }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('columnheader', { name: 'Service' })).toHaveCount(0)
    await isUnchanged()

    await press('Enter', page.getByText('Saved', { exact: true }))
    await page.getByLabel('Save search as').fill(`Archive, ${how}`)
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByText('Search saved.').waitFor()
    await isUnchanged()
    await press('Enter', page.getByText('Saved', { exact: true }))
    await press('Enter', page.getByRole('button', { name: `Delete Archive, ${how}` }))
    await page.getByRole('main').getByText('Saved search deleted.').waitFor()
    await isUnchanged()
  })
}

test('resizing a column of an older page of the log keeps the page and the scroll position', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  const columns = 'severity,service,message'
  await page.goto(server.origin + paths.activities({ q: 'service:archive', range: { span: '24h' }, columns }))
  await hydrated(page)
  await page.getByRole('link', { name: 'Older' }).click()
  const row = page.locator('.events tbody tr', { hasText: 'step 130' })
  await row.evaluate(element => element.scrollIntoView({ block: 'center' }))
  const top = (await row.boundingBox())?.y
  const heading = page.getByRole('columnheader', { name: 'Service' })
  const box = await heading.boundingBox()
  if (box === null) throw new Error('The heading is not visible')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width - 3, y)
  await page.mouse.down()
  await expect(async () => {
    await page.mouse.move(box.x + box.width + 27, y)
    await page.mouse.move(box.x + box.width + 57, y)
    expect(await page.locator('col[style*=width]').count()).toBe(1)
  }).toPass({ timeout: 10_000 })
  await page.mouse.up()
  await page.waitForURL(/columns=severity%2Cservice%3A[^#]*$/)
  await expect(page.locator('col[style*=width]')).toHaveCount(0)
  await expect(page.locator('.events tbody tr').first()).toContainText('step 100')
  expect((await row.boundingBox())?.y).toBe(top)
})

test('a column can be moved and resized by dragging its heading', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(
    server.origin + paths.activities({ q: 'service:shop', columns: 'service,message,@user.plan' }),
  )
  await hydrated(page)
  const heading = (name: string) => page.getByRole('columnheader', { name })
  const boxOf = async (name: string) => {
    const box = await heading(name).boundingBox()
    if (box === null) throw new Error(`${name} is not visible`)
    return box
  }
  let loadCode = () => {}
  const isPressedAgain = new Promise<void>(resolve => {
    loadCode = resolve
  })
  await page.route(/drag-columns/, async route => {
    await isPressedAgain
    await route.continue()
  })
  const marked = page.locator('[data-drop], col[style*=width]')
  const startDrag = async (name: string, fromX: number, toX: number) => {
    const { y, height } = await boxOf(name)
    await page.mouse.move(fromX, y + height / 2)
    await page.mouse.down()
    loadCode()
    // The code for dragging is loaded only when the first drag starts.
    await expect(async () => {
      await page.mouse.move(fromX + 10, y + height / 2)
      await page.mouse.move(toX, y + height / 2)
      expect(await marked.count()).toBe(1)
    }).toPass({ timeout: 10_000 })
  }
  const drag = async (name: string, fromX: number, toX: number) => {
    await startDrag(name, fromX, toX)
    await page.mouse.up()
  }
  const service = await boxOf('Service')
  page.expectConsoleMessage('ERR_CONNECTION_REFUSED')
  const isLog = (url: URL) => url.pathname === paths.activities()
  await page.route(isLog, (route, request) =>
    request.method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  )
  // This click must not start a drag, even if the code arrives while the heading is pressed again.
  await heading('Service').click()
  await drag('Service', service.x + service.width - 3, service.x + service.width + 57)
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  await tryAgain.waitFor()
  await page.unroute(isLog)
  await tryAgain.click()
  await page.waitForURL(/columns=service%3A/)
  await expect
    .poll(async () => Math.round((await boxOf('Service')).width))
    .toBe(Math.round(service.width) + 60)

  const plan = await boxOf('user.plan')
  await drag('user.plan', plan.x + 10, service.x + 10)
  await expect(headings(page)).toHaveText(['Time', 'user.plan', 'Service', 'Message'])
  await expect(marked).toHaveCount(0)

  // The system may take over the pointer, for example when a phone is rotated.
  const { x, width } = await boxOf('Service')
  for (const fromX of [x + 10, x + width - 3]) {
    await startDrag('Service', fromX, x + width + 57)
    await heading('Service').dispatchEvent('pointercancel')
    await expect(marked).toHaveCount(0)
    await page.mouse.up()
  }
})

test('exports contain the events that match the search', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + shop)
  await hydrated(page)
  for (const [name, check] of [
    [
      'NDJSON',
      (text: string) =>
        text
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line).service),
    ],
    [
      'CSV',
      (text: string) =>
        text
          .split('\r\n')
          .slice(1, -1)
          .map(line => line.split(',')[2]),
    ],
  ] as const) {
    await page.getByText('Export', { exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ])
    const services = check(await readFile(await download.path(), 'utf8'))
    expect(services.length, name).toBe(events.length)
    expect(new Set(services.map(service => service?.replaceAll('"', '')))).toEqual(new Set(['shop']))
    await page.keyboard.press('Escape')
  }
})

test('on narrow screens, the tools close when one of their links is clicked, but not for a download', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 360, height: 740 } })
  await page.goto(server.origin + shop)
  await hydrated(page)
  const tools = page.locator('#log-tools')
  await page.getByRole('button', { name: 'More' }).click()
  await tools.getByText('Export', { exact: true }).click()
  const download = page.waitForEvent('download')
  await tools.getByRole('link', { name: 'CSV', exact: true }).click()
  await download
  await expect(tools).toBeVisible()
  await tools.getByRole('link', { name: 'Widen time range' }).click()
  await page.waitForURL(url => url.searchParams.get('range') !== '1h')
  await expect(tools).toBeHidden()
  await page.getByRole('button', { name: 'More' }).click()
  await tools.getByRole('link', { name: 'Filters', exact: true }).click()
  await expect(tools).toBeHidden()
  await expect(page.locator('#filters')).toBeInViewport()
})

test('a menu closes after a press outside, but not when a selection that starts inside ends there', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + shop)
  await hydrated(page)
  await page.getByText('Saved', { exact: true }).click()
  const name = page.getByLabel('Save search as')
  await name.fill('selected')
  for (const start of [name, page.getByText('Visible to everyone')]) {
    const box = await start.boundingBox()
    if (box === null) throw new Error('The menu is closed')
    await page.mouse.move(box.x + 40, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(5, 500)
    await page.mouse.up()
    await expect(name).toBeVisible()
  }
  await page.mouse.click(5, 500)
  await expect(name).toBeHidden()
})

test('a key in a menu does not close it after a press elsewhere that was no click', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + shop)
  await hydrated(page)
  await page.getByText('Columns', { exact: true }).click()
  await page.mouse.click(5, 500, { button: 'right' })
  const service = page.getByLabel('Service', { exact: true })
  await service.focus()
  await page.keyboard.press('Space')
  await expect(service).not.toBeChecked()
  await expect(service).toBeVisible()
})

test('a form of the log belongs to the displayed page while another page loads, and after this was stopped', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(server.origin + paths.activities({ q: 'service:archive', range: { span: '24h' } }))
  await hydrated(page)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.locator('main[data-screen=settings]').waitFor()
  await page.evaluate(url => window.navigation.navigate(url), shop)
  await page.getByText('checkout').first().waitFor()
  await page.route('**/settings', () => {})
  await page.evaluate(() => history.back())
  await page.locator('html[data-pending]').waitFor({ state: 'attached' })
  await page.evaluate(() => window.stop())
  await expect(page.locator('[data-pending]')).toHaveCount(0)
  await expect(page).toHaveURL(/settings/)
  await page.getByText('Columns', { exact: true }).click()
  await page.getByLabel('Service', { exact: true }).click()
  await page.getByRole('button', { name: 'Apply' }).first().click()
  await page.waitForURL(/activities\?q=service%3Ashop.*columns=/)
  await expect(page.getByRole('columnheader', { name: 'Service' })).toHaveCount(0)
})

test('a link within the log keeps the name of a search, and a hash does not hide that it was saved', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } })
  page.on('dialog', () => {
    throw new Error('Asks before leaving')
  })
  await page.goto(`${server.origin}${shop}#filters`)
  await hydrated(page)
  await page.getByText('Saved', { exact: true }).click()
  const name = page.getByLabel('Save search as')
  await name.fill('With a hash')
  await page.getByRole('link', { name: 'Earlier' }).click()
  await page.waitForURL(/from=/)
  await page.goBack()
  await page.waitForURL(/#filters$/)
  if (!(await name.isVisible())) await page.getByText('Saved', { exact: true }).click()
  await name.fill('With a hash')
  await name.press('Enter')
  await expect(page.locator('#announcer')).toContainText('Search saved.')
})

test('filter values can be searched, JavaScript off', async ({ openPage }) => {
  const many = Array.from({ length: 30 }, (_, index) => ({ name: `worker-${index}`, msg: 'many' }))
  await server.send(...many)
  const page = await openPage({ javaScriptEnabled: false })
  await page.goto(server.origin + paths.activities({ q: 'many', range: { span: '1h' } }))
  const filters = page.getByRole('region', { name: 'Filters' })
  await filters.getByRole('link', { name: 'Show more service values' }).click()
  await filters.getByRole('textbox', { name: 'Filter fields and values' }).fill('WORKER-27')
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.get('find') === 'WORKER-27')
  expect(await filters.getByRole('link', { name: /^worker-\d+/ }).count()).toBe(1)
  await filters.getByRole('link', { name: /^worker-27/ }).click()
  await page.waitForURL(url => url.searchParams.get('q') === 'many service:worker-27')
})

test('the search field suggests fields and stored values', async ({ openPage }) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities({ range: { span: '1h' } }))
  await hydrated(page)
  const box = page.getByRole('main').getByRole('searchbox')
  await box.click()
  await box.pressSequentially('serv')
  const list = page.getByRole('listbox', { name: 'Suggestions' })
  await list.getByRole('option', { name: /^service:/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await list.getByRole('option', { name: /^service:/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await list.getByRole('option', { name: /^shop/ }).click()
  expect(await box.inputValue()).toBe('service:shop ')
  await box.pressSequentially('user.pl')
  await list.getByRole('option', { name: /user\.plan:/ }).waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  expect(await box.inputValue(), 'a suggestion is inserted only if the visitor chooses it').toBe(
    'service:shop user.pl',
  )
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.searchParams.get('q') === 'service:shop user.pl')
})
