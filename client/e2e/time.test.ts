import type { Locator, Page } from '@playwright/test'
import { zoneCookie } from '../../shared/preferences.ts'
import { expect, hydrated, test } from './fixtures.ts'

test.describe.configure({ mode: 'parallel' })

test("the first page shows times in the browser's time zone, without a layout shift", async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ timezoneId: 'Asia/Tokyo' })
  await page.addInitScript(() => {
    const painted: string[] = []
    Object.assign(window, { painted, shifts: 0 })
    const zoneOf = () => document.querySelector('.range-zone')?.textContent ?? 'none'
    new PerformanceObserver(list => painted.push(...list.getEntries().map(zoneOf))).observe({
      type: 'paint',
      buffered: true,
    })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries())
        Object.assign(window, {
          shifts: Number(Reflect.get(window, 'shifts')) + Number(Reflect.get(entry, 'value')),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(`${shop.origin}/activities`)
  await page.waitForFunction(() => document.querySelector('.range-zone')?.textContent === 'Tokyo')
  await hydrated(page)
  await page.waitForFunction(() => Reflect.get(window, 'painted').length > 0)
  const painted = await page.evaluate(() => Reflect.get(window, 'painted'))
  expect(new Set(painted), 'no other zone was painted').toEqual(new Set(['Tokyo']))
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toBe(0)
  await expect(page.locator('.events time').first()).toHaveAttribute('title', /UTC\+9$/)

  // The server now knows the zone, so it renders the next page in this zone.
  const loads: string[] = []
  page.on('request', request => request.isNavigationRequest() && loads.push(request.url()))
  await page.reload()
  await hydrated(page)
  expect(loads.length, 'later pages are loaded once').toBe(1)
})

test('the time zone chosen in Settings takes precedence, and times are in UTC without JavaScript', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ timezoneId: 'Asia/Tokyo' })
  await page
    .context()
    .addCookies([{ name: 'sixpane_preferences', value: 'timeZone=Europe%2FVienna', url: shop.origin }])
  await page.goto(`${shop.origin}/activities`)
  await hydrated(page)
  await expect(page.locator('.range-zone')).toHaveText('Vienna')
  const scriptless = await openPage({ timezoneId: 'Asia/Tokyo', javaScriptEnabled: false })
  await scriptless.goto(`${shop.origin}/activities`)
  await expect(scriptless.locator('.range-zone')).toHaveText('UTC')
})

for (const javaScriptEnabled of [true, false]) {
  test(`a time range can be typed, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
    shop,
  }) => {
    const page = await openPage({ javaScriptEnabled, timezoneId: 'UTC' })
    await page.goto(`${shop.origin}/activities?q=service:shop`)
    if (javaScriptEnabled) await hydrated(page)
    const picker = page.locator('details.range')
    const typed = picker.getByLabel('Time range')
    await picker.locator('summary').click()
    if (javaScriptEnabled) await expect(typed, 'the field has the focus without a second click').toBeFocused()
    await typed.fill('90m')
    await typed.press('Enter')
    await page.waitForURL(/time=90m/)
    await expect(picker.locator('summary')).toContainText('last 90 minutes')
    expect(new URL(page.url()).searchParams.get('q')).toBe('service:shop')
    await expect(page.locator('.events tbody a').first(), 'links contain the relative range').toHaveAttribute(
      'href',
      /range=90m/,
    )

    await picker.locator('summary').click()
    await typed.fill('soon')
    await typed.press('Enter')
    await expect(picker.getByText('Enter a range such as 90m')).toBeVisible()
    await expect(typed).toHaveValue('soon')
    await typed.fill('later')
    await typed.press('Enter')
    await page.waitForURL(/time=later/)
    await expect(picker.getByText('Enter a range such as 90m')).toBeVisible()
    await expect(typed).toBeFocused()

    await picker.getByLabel('From').fill('2020-11-20T15:00')
    await picker.getByLabel('To', { exact: true }).fill('2020-11-20T14:00')
    await picker.getByRole('button', { name: 'Apply' }).click()
    await expect(picker.getByText('Enter a time after the start')).toBeVisible()
    await expect(picker.getByLabel('From')).toHaveValue('2020-11-20T15:00')
  })
}

test('the picker shows the current range and time zone, not text that was entered earlier', async ({
  openPage,
  shop,
}) => {
  const page = await openPage({ timezoneId: 'Asia/Tokyo' })
  await page.context().addCookies([{ name: zoneCookie, value: 'Asia%2FTokyo', url: shop.origin }])
  await page.goto(`${shop.origin}/activities?from=2020-11-20T14:00&to=2020-11-20T15:00`)
  await hydrated(page)
  const picker = page.locator('details.range')
  const typed = picker.getByLabel('Time range')
  const from = picker.getByLabel('From')
  await picker.locator('summary').click()
  await typed.fill('yesterday')
  await from.fill('2020-11-01T01:00')
  await page.getByRole('link', { name: 'Earlier' }).click()
  await expect(page.locator('.range-current')).toHaveText('Nov 20, 2020, 13:00 – 14:00')
  await picker.locator('summary').click()
  await expect(from).toHaveValue('2020-11-20T13:00')
  await expect(typed).toHaveValue('')

  await from.fill('2020-11-01T02:00')
  await picker.getByRole('button', { name: 'Use UTC' }).click()
  await expect(page.locator('.range-zone')).toHaveText('UTC')
  await expect(from).toHaveValue('2020-11-20T04:00')
})

test('the problem with a range is still shown after the range is submitted again', async ({
  openPage,
  shop,
}) => {
  const page = await openPage()
  await page.goto(`${shop.origin}/activities?time=soon`)
  await hydrated(page)
  const picker = page.locator('details.range')
  const typed = picker.getByLabel('Time range')
  await expect(typed).toHaveValue('soon')
  const answered = page.waitForResponse(/time=soon/)
  await typed.press('Enter')
  await (await answered).finished()
  await page.waitForFunction(() => window.navigation.transition === null)
  await expect(picker.getByText('Enter a range such as 90m')).toBeVisible()
  await expect(typed).toBeFocused()
  await typed.fill('90m')
  await typed.press('Enter')
  await expect(picker.locator('summary')).toContainText('last 90 minutes')
  await expect(typed).toBeHidden()
})

test('on a touch screen, opening the picker does not bring up the keyboard', async ({ openPage, shop }) => {
  const page = await openPage({ isMobile: true, hasTouch: true, viewport: { width: 360, height: 740 } })
  await page.goto(`${shop.origin}/activities`)
  await hydrated(page)
  const picker = page.locator('details.range')
  await picker.locator('summary').tap()
  await expect(picker.getByLabel('Time range')).toBeVisible()
  await expect(picker.locator('summary')).toBeFocused()
})

/** Opens the time range picker on a page for a visitor in Tokyo. */
async function openPicker(page: Page, origin: string, javaScriptEnabled: boolean): Promise<Locator> {
  await page.context().addCookies([{ name: zoneCookie, value: 'Asia%2FTokyo', url: origin }])
  await page.goto(`${origin}/activities?q=service:shop`)
  if (javaScriptEnabled) await hydrated(page)
  const picker = page.locator('details.range')
  await picker.locator('summary').click()
  return picker
}

for (const javaScriptEnabled of [true, false]) {
  test(`the picker offers yesterday, and switches between local time and UTC, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
    shop,
  }) => {
    const page = await openPage({ javaScriptEnabled, timezoneId: 'Asia/Tokyo' })
    const picker = await openPicker(page, shop.origin, javaScriptEnabled)
    await picker.getByRole('button', { name: 'Yesterday' }).click()
    await page.waitForURL(/time=yesterday/)
    await expect(page.locator('.range-current')).toHaveText(/^\w+ \d+, 00:00 – \w+ \d+, 00:00$/)
    await picker.locator('summary').click()
    await picker.getByRole('button', { name: 'Use UTC' }).click()
    await expect(page.locator('.range-zone')).toHaveText('UTC')
    expect(page.url(), 'the page does not change').toContain('q=service%3Ashop&time=yesterday')
    if (!javaScriptEnabled || !(await picker.getByText('Times in UTC').isVisible()))
      await picker.locator('summary').click()
    await picker.getByRole('button', { name: 'Use local time' }).click()
    await expect(page.locator('.range-zone')).toHaveText('Tokyo')
  })
}

for (const javaScriptEnabled of [true, false]) {
  test(`a start and end select the same events in every time zone, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
    shop,
  }) => {
    const page = await openPage({ javaScriptEnabled, timezoneId: 'Asia/Tokyo' })
    const picker = await openPicker(page, shop.origin, javaScriptEnabled)
    await picker.getByLabel('From').fill('2020-11-20T14:00')
    await picker.getByLabel('To', { exact: true }).fill('2020-11-20T15:00')
    await picker.getByRole('button', { name: 'Apply' }).click()
    const current = page.locator('.range-current')
    await expect(current).toHaveText('Nov 20, 2020, 14:00 – 15:00')
    const instants = { from: '2020-11-20T05:00Z', to: '2020-11-20T06:00Z' }
    const paramsOf = () => Object.fromEntries(new URL(page.url()).searchParams)
    if (javaScriptEnabled) await expect.poll(paramsOf).toEqual({ q: 'service:shop', ...instants })
    if (!(await picker.getByRole('button', { name: 'Use UTC' }).isVisible()))
      await picker.locator('summary').click()
    await picker.getByRole('button', { name: 'Use UTC' }).click()
    await expect(page.locator('.range-zone')).toHaveText('UTC')
    await expect(current).toHaveText('Nov 20, 2020, 05:00 – 06:00')
    expect(paramsOf()).toEqual({ q: 'service:shop', ...instants })
  })
}

test("times in the URL of the first page are in the browser's time zone", async ({ openPage, shop }) => {
  const page = await openPage({ timezoneId: 'Asia/Tokyo' })
  await page.goto(`${shop.origin}/activities?from=2020-11-20T14:00&to=2020-11-20T15:00`)
  await expect(page.locator('.range-zone')).toHaveText('Tokyo')
  await expect(page.locator('.range-current')).toHaveText('Nov 20, 2020, 14:00 – 15:00')
  await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe('2020-11-20T05:00Z')
})

test('the arrows show the previous and the next range', async ({ openPage, shop }) => {
  const page = await openPage()
  await page.goto(`${shop.origin}/activities?from=2020-11-20T14:00&to=2020-11-20T15:00`)
  await hydrated(page)
  const current = page.locator('.range-current')
  await expect(current).toHaveText('Nov 20, 2020, 14:00 – 15:00')
  await page.getByRole('link', { name: 'Earlier' }).click()
  await expect(current).toHaveText('Nov 20, 2020, 13:00 – 14:00')
  await page.getByRole('link', { name: 'Later' }).click()
  await expect(current).toHaveText('Nov 20, 2020, 14:00 – 15:00')
})

test("the start and end are entered in the browser's time zone", async ({ openPage, shop }) => {
  const page = await openPage({ timezoneId: 'America/St_Johns' })
  await page.goto(`${shop.origin}/dashboard`)
  await page.waitForFunction(() => document.querySelector('.range-zone')?.textContent === 'St Johns')
  await hydrated(page)
  const picker = page.locator('details.range')
  await picker.locator('summary').click()
  await picker.getByLabel('From').fill('2020-11-20T14:00')
  await picker.getByLabel('To', { exact: true }).fill('2020-11-20T15:30')
  await picker.getByRole('button', { name: 'Apply' }).click()
  await expect(page.locator('.range-current')).toHaveText('Nov 20, 2020, 14:00 – 15:30')
  await page.getByRole('link', { name: 'Activities', exact: true }).waitFor()
})
