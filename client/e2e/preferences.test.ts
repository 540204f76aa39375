import type { Page } from '@playwright/test'
import {
  defaultPreferences,
  type Preferences,
  preferencesCookie,
  serializePreferences,
} from '../../shared/preferences.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { checkoutDigest } from './events.ts'
import { expect, hydrated, type OpenedPage, test } from './fixtures.ts'

const views = [...screenIds.map(id => screens[id].path), `/development?digest=${checkoutDigest}`]

const visitors: { locale: string; timezoneId: string; preferences: Preferences }[] = [
  {
    locale: 'de-AT',
    timezoneId: 'America/St_Johns',
    preferences: {
      theme: 'dark',
      density: 'compact',
      timeZone: 'Asia/Tokyo',
      isBrowserZone: false,
      clock: '12h',
      range: '7d',
      motion: 'reduced',
      columns: 'severity,message,@user.plan:160',
    },
  },
  {
    locale: 'ar-EG',
    timezoneId: 'Asia/Kathmandu',
    preferences: {
      theme: 'light',
      density: 'comfortable',
      timeZone: 'Pacific/Chatham',
      isBrowserZone: false,
      clock: '24h',
      range: '15m',
      motion: 'system',
      columns: defaultPreferences.columns,
    },
  },
  {
    locale: 'ja-JP',
    timezoneId: 'Pacific/Kiritimati',
    preferences: {
      theme: 'system',
      density: 'compact',
      timeZone: 'America/New_York',
      isBrowserZone: false,
      clock: '12h',
      range: '30d',
      motion: 'system',
      columns: 'service:200,message',
    },
  },
]

for (const { locale, timezoneId, preferences } of visitors) {
  test(`server and browser render the same times and preferences, ${timezoneId}, ${locale}`, async ({
    openPage,
    shop,
  }) => {
    // React logs hydration mismatches to the console, which fails the test.
    const page = await openPage({ locale, timezoneId })
    await page
      .context()
      .addCookies([{ name: preferencesCookie, value: serializePreferences(preferences), url: shop.origin }])
    for (const view of views) {
      await page.goto(shop.origin + view)
      const rendered = await page.locator('time').allInnerTexts()
      await hydrated(page)
      const html = page.locator('html')
      expect(await html.getAttribute('data-theme'), view).toBe(preferences.theme)
      expect(await html.getAttribute('data-density'), view).toBe(preferences.density)
      expect(await page.locator('time').allInnerTexts(), view).toEqual(rendered)
    }
  })
}

for (const javaScriptEnabled of [true, false]) {
  /** With JavaScript, leaving a text field saves it. */
  const save = async (page: OpenedPage) => {
    if (javaScriptEnabled) await page.getByLabel('Time zone').press('Tab')
    else await page.getByRole('button', { name: 'Save preferences' }).click()
  }

  test(`an invalid preference shows an error next to its field, and valid ones are saved, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
    shop,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    page.expectConsoleMessage('status of 422')
    await page.goto(shop.origin + screens.settings.path)
    if (javaScriptEnabled) await hydrated(page)
    const zone = page.getByLabel('Time zone')
    await zone.fill('Mars/Base')
    await save(page)
    await page.getByText('Not saved.').first().waitFor()
    expect(await zone.inputValue()).toBe('Mars/Base')
    expect(await zone.getAttribute('aria-invalid')).toBe('true')
    const [problemId] = (await zone.getAttribute('aria-describedby'))?.split(' ') ?? []
    expect(await page.locator(`[id="${problemId}"]`).innerText()).toMatch(/^Unknown time zone/)
    expect(await cookieOf(page, shop.origin)).toBeUndefined()

    await zone.fill('asia/tokyo')
    await save(page)
    await page.getByText('Preferences saved.').first().waitFor()
    await expect(zone).toHaveValue('Asia/Tokyo')
    await expect(zone).not.toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Dark', { exact: true }).check({ force: true })
    await save(page)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    const cookie = await cookieOf(page, shop.origin)
    expect(cookie).toMatchObject({ name: preferencesCookie, httpOnly: true, sameSite: 'Lax' })
    expect(decodeURIComponent(cookie?.value ?? '')).toContain('theme=dark')

    await page.goto(shop.origin + screens.home.path)
    expect(await page.locator('html').getAttribute('data-theme'), 'the theme applies to other screens').toBe(
      'dark',
    )
  })
}

async function cookieOf(page: Page, url: string) {
  const cookies = await page.context().cookies(url)
  return cookies.find(({ name }) => name === preferencesCookie)
}
