import { paths } from '../../shared/paths.ts'
import { covered } from './covered.ts'
import { expect, hydrated, type OpenedPage, serverForFile, test } from './fixtures.ts'

const server = serverForFile()

/** Stores one failure for each service. */
async function fail(group: string, services: readonly string[]): Promise<void> {
  for (const name of services) await server.send(failing(group, name))
}

function failing(group: string, name: string): object {
  return {
    level: 50,
    time: Date.now(),
    name: `${group}-${name}`,
    version: '1.0.0',
    msg: 'failed',
    err: {
      type: 'Error',
      message: `no ${group} ${name}`,
      stack: `Error: no ${group} ${name}\n    at ${group}${name} (/app/src/${name}.ts:42:17)`,
    },
  }
}

const rows = (page: OpenedPage) => page.locator('.failures tbody tr')

for (const javaScriptEnabled of [true, false]) {
  test(`the list can be filtered, and selected failures can be changed, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const group = javaScriptEnabled ? 'cart' : 'order'
    await fail(group, ['one', 'two', 'three'])
    // This failure does not match the filter, so the number of rows shows when the filtered page has arrived.
    await fail(`other-${group}`, ['one'])
    const page = await openPage({ javaScriptEnabled })
    const ready = async () => {
      if (javaScriptEnabled) await hydrated(page)
    }
    await page.goto(server.origin + paths.development())
    await ready()
    const filter = page.getByRole('searchbox', { name: 'Filter failures' })
    await filter.fill(`NO ${group}`)
    await filter.press('Enter')
    await page.waitForURL(url => url.searchParams.get('q') === `NO ${group}`)
    await expect(rows(page)).toHaveCount(3)
    await expect(page.getByRole('link', { name: 'Open 3' })).toBeVisible()
    const resolve = page.getByRole('button', { name: 'Resolve' })
    await expect(resolve).toBeHidden()

    const posts: string[] = []
    page.on('request', request => request.method() === 'POST' && posts.push(request.url()))
    for (const name of ['one', 'two']) {
      const box = page.getByRole('checkbox', { name: `no ${group} ${name}` })
      await box.check()
      await box.press('Enter')
    }
    expect(posts, 'Enter changes nothing').toEqual([])
    const form = page.locator('form').filter({ has: resolve })
    const hasBox = await form.evaluate(element => element.querySelector('button')?.checkVisibility())
    expect(hasBox, 'Safari skips buttons without a box').toBe(true)
    const topOfList = async () => (await rows(page).first().boundingBox())?.y
    const top = await topOfList()
    await resolve.click()
    await expect(page.getByRole('status').getByText('2 failures resolved.')).toBeInViewport()
    await expect(rows(page)).toHaveCount(1)
    expect(await topOfList(), 'the list does not move').toBe(top)
    await expect(filter).toHaveValue(`NO ${group}`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('status').getByText('Change undone.')).toBeVisible()
    await expect(rows(page)).toHaveCount(3)
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)

    const services = page.getByRole('combobox', { name: 'Service' })
    await services.selectOption(`${group}-two`)
    if (!javaScriptEnabled) await filter.press('Enter')
    await page.waitForURL(url => url.searchParams.get('service') === `${group}-two`)
    await expect(rows(page)).toHaveCount(1)
    await expect(services).toHaveValue(`${group}-two`)
  })
}

test('the list can be sorted by its columns', async ({ openPage }) => {
  await fail('sort', ['old', 'new'])
  await fail('sort', ['old'])
  const page = await openPage()
  await page.goto(server.origin + paths.development({ q: 'no sort' }))
  await hydrated(page)
  await expect(rows(page).first()).toContainText('sort old')
  await expect(page.getByRole('columnheader', { name: 'Last seen' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await page.getByRole('link', { name: 'First seen', exact: true }).click()
  await page.waitForURL(url => url.searchParams.get('sort') === 'age')
  await expect(rows(page).first()).toContainText('sort new')
  await expect(page.getByRole('columnheader', { name: 'First seen' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await page.getByRole('link', { name: 'Count', exact: true }).click()
  await page.waitForURL(url => url.searchParams.get('sort') === 'frequent')
  await expect(rows(page).first()).toContainText('sort old')
})

test('the list has pages, and shows the previous page after all failures on the last page are resolved', async ({
  openPage,
}) => {
  const letters = [...'abcdefgh']
  const names = letters.flatMap(first => letters.map(second => first + second)).slice(0, 52)
  await server.send(...names.map(name => failing('pages', name)))
  const page = await openPage()
  await page.goto(server.origin + paths.development({ q: 'no pages' }))
  await hydrated(page)
  const list = page.getByRole('region', { name: 'Failures' })
  await expect(list).toContainText('1–50 of 52')
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(list).toContainText('51–52 of 52')
  await expect(rows(page)).toHaveCount(2)
  for (const key of ['j', 'x', 'j', 'x', 'r']) await page.keyboard.press(key)
  await expect(page.getByText('2 failures resolved.')).toBeVisible()
  await expect(rows(page)).toHaveCount(50)
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list).toContainText('51–52 of 52')
  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(rows(page)).toHaveCount(50)
})

test('the keyboard moves through the list, selects failures and changes them, and Escape closes a menu before it clears the selection', async ({
  openPage,
}) => {
  await fail('key', ['one', 'two', 'three'])
  const page = await openPage()
  await page.goto(server.origin + paths.development({ q: 'no key' }))
  await hydrated(page)
  const names = await rows(page).getByRole('link', { name: 'no key' }).allTextContents()
  for (const key of ['j', 'x', 'j', 'j', 'x', 'k']) await page.keyboard.press(key)
  await expect(page.getByRole('link', { name: names[1] ?? '' })).toBeFocused()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toBeVisible()
  const all = page.getByRole('checkbox', { name: 'Select all failures' })
  expect(await all.evaluate(box => box instanceof HTMLInputElement && box.indeterminate)).toBe(true)
  await page.keyboard.press('x')
  await expect(all).toBeChecked()
  await page.locator('details[data-menu] > summary').first().click()
  await expect(page.locator('details[data-menu][open]')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.locator('details[data-menu][open]')).toHaveCount(0)
  await expect(all).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(all).not.toBeChecked()
  await all.check()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(all).not.toBeChecked()
  await expect(page.getByRole('button', { name: 'Clear' })).toBeHidden()
  await all.check()
  await page.getByRole('button', { name: 'Mute' }).click()
  await expect(page.getByText('3 failures muted.')).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('3 failures muted.')
})

test('the keyboard resolves or mutes the focused failure, the selected failures or the open failure', async ({
  openPage,
}) => {
  await fail('press', ['one', 'two', 'three'])
  const page = await openPage()
  await page.goto(server.origin + paths.development({ q: 'no press' }))
  await hydrated(page)
  await page.keyboard.press('r')
  for (const key of ['j', 'r']) await page.keyboard.press(key)
  await expect(page.getByText('1 failure resolved.'), 'only the focused failure is resolved').toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all failures' }).check()
  await page.keyboard.press('m')
  await expect(page.getByText('2 failures muted.')).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await rows(page).first().getByRole('link', { name: 'no press' }).click()
  const status = page.locator('#failure-state')
  await expect(status).toContainText('Open')
  await page.keyboard.press('m')
  await expect(status).toContainText(/Muted (just now|\d+ s ago)/)

  await page.getByRole('link', { name: 'All failures' }).click()
  const muted = page.getByRole('link', { name: 'Muted 1' })
  await muted.click()
  await expect(muted).toHaveAttribute('aria-current', 'true')
  for (const key of ['j', 'm']) await page.keyboard.press(key)
  await expect(page.getByRole('link', { name: 'no press' })).toBeFocused()
  await expect(
    page.getByRole('checkbox', { checked: true }),
    '`m` does nothing, because this list has no Mute button',
  ).toHaveCount(0)
})

test('opening a failure and going back move the focus to the new page, and muting temporarily can be undone', async ({
  openPage,
}) => {
  await fail('mute', ['one'])
  const page = await openPage()
  await page.goto(server.origin + paths.development({ q: 'no mute one' }))
  await hydrated(page)
  for (const key of ['j', 'Enter']) await page.keyboard.press(key)
  await page.waitForURL(url => url.searchParams.has('failure'))
  await expect(page.locator('#main')).toBeFocused()
  await expect(page.locator('#announcer')).toContainText('Error')
  await page.goBack()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.locator('#main')).toBeFocused()

  await page.getByRole('link', { name: 'no mute one' }).click()
  await page.locator('summary', { hasText: 'Mute temporarily' }).click()
  await page.getByRole('button', { name: 'Mute for 1 week' }).click()
  const status = page.locator('#failure-state')
  await expect(status).toContainText(/Muted (?:just now|\d+ s ago), until \d+-\d+-\d+ \d+:\d+\./)
  await status.getByRole('button', { name: 'Undo' }).click()
  await expect(status).toContainText('shown on Home')
  await expect(status).toContainText('Change undone.')
  await page.getByRole('link', { name: 'All failures' }).click()
  await page.waitForURL(url => url.searchParams.get('q') === 'no mute one')
  await expect(rows(page)).toHaveCount(1)
})

test('a long route is cut off instead of the digest after it', async ({ openPage }) => {
  await server.send({
    level: 50,
    time: Date.now(),
    name: 'long-route',
    version: '1.0.0',
    route: `/organisations/:organisation/${'projects/:project/'.repeat(8)}`,
    msg: 'failed',
    err: { type: 'Error', message: 'no long route', digest: '2338471000' },
  })
  const page = await openPage({ viewport: { width: 1280, height: 740 } })
  await page.goto(server.origin + paths.development({ q: 'no long route' }))
  const copy = page.getByRole('button', { name: 'Copy digest 2338471000' })
  await expect(copy).toBeVisible()
  expect(await covered(copy)).toEqual([])
})

test('on a phone, the buttons for the selected failures are above the navigation', async ({ openPage }) => {
  await fail('phone', ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
  const page = await openPage({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true })
  await page.goto(server.origin + paths.development({ q: 'no phone' }))
  await hydrated(page)
  await page.getByRole('checkbox', { name: 'no phone one' }).check()
  await page.evaluate(() => scrollTo(0, 0))
  const buttons = page.getByRole('group', { name: 'Change the selected failures' }).getByRole('button')
  await expect(buttons).toHaveText(['Resolve', 'Mute', 'Clear'])
  expect(await covered(buttons)).toEqual([])
})
