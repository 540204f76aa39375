import t from 'tap'
import {
  defaultPreferences,
  type Preferences,
  preferencesCookie,
  serializePreferences,
} from '../../shared/preferences.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { closeBrowser, hydrated, openPage } from './browser.ts'
import { failingCheckout } from './events.ts'
import { startServer } from './server.ts'

const server = await startServer()
t.teardown(async () => {
  await closeBrowser()
  await server.stop()
})

const { events, digest } = failingCheckout(Date.now())
await server.send(...events)

const views = [
  ...screenIds.map(id => screens[id].path),
  `/development?digest=${digest}`,
  '/activities?q=service:shop',
  '/activities?q=status:(',
]

const visitors: { locale: string; timezoneId: string; preferences: Preferences }[] = [
  {
    locale: 'de-AT',
    timezoneId: 'America/St_Johns',
    preferences: {
      theme: 'dark',
      density: 'compact',
      timeZone: 'Asia/Tokyo',
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
      clock: '12h',
      range: '30d',
      motion: 'system',
      columns: 'service:200,message',
    },
  },
]

for (const { locale, timezoneId, preferences } of visitors) {
  t.test(`the browser of a visitor in ${timezoneId}, ${locale}, draws what the server drew`, async t => {
    // A mismatch is a complaint of the browser, and fails the test.
    const page = await openPage(t, { locale, timezoneId })
    await page
      .context()
      .addCookies([{ name: preferencesCookie, value: serializePreferences(preferences), url: server.origin }])
    for (const view of views) {
      await page.goto(server.origin + view)
      const drawn = await page.locator('time').allInnerTexts()
      await hydrated(page)
      const html = page.locator('html')
      t.equal(await html.getAttribute('data-theme'), preferences.theme, view)
      t.equal(await html.getAttribute('data-density'), preferences.density, view)
      t.same(await page.locator('time').allInnerTexts(), drawn, view)
    }
  })
}

for (const javaScriptEnabled of [true, false]) {
  t.test(`preferences are kept, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async t => {
    const page = await openPage(t, { javaScriptEnabled })
    await page.goto(server.origin + screens.settings.path)
    await page.getByLabel('Dark', { exact: true }).check({ force: true })
    await page.getByLabel('Time zone').fill('asia/tokyo')
    await page.getByRole('button', { name: 'Save preferences' }).click()
    await page.getByText('kept in this browser').first().waitFor()
    const [cookie] = await page.context().cookies(server.origin)
    t.match(cookie, { name: preferencesCookie, httpOnly: true, sameSite: 'Lax' })
    t.match(decodeURIComponent(cookie?.value ?? ''), 'theme=dark')
    t.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
    t.equal(await page.getByLabel('Time zone').inputValue(), 'Asia/Tokyo')

    await page.goto(server.origin + screens.home.path)
    t.equal(await page.locator('html').getAttribute('data-theme'), 'dark', 'on the other screens too')
  })

  t.test(
    `what is wrong is said beside its field, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`,
    async t => {
      const page = await openPage(t, { javaScriptEnabled })
      page.expectComplaint('status of 422')
      await page.goto(server.origin + screens.settings.path)
      const zone = page.getByLabel('Time zone')
      await zone.fill('Mars/Base')
      await page.getByRole('button', { name: 'Save preferences' }).click()
      await page.getByText('Nothing was saved').first().waitFor()
      t.equal(await zone.inputValue(), 'Mars/Base')
      t.equal(await zone.getAttribute('aria-invalid'), 'true')
      const [problemId] = (await zone.getAttribute('aria-describedby'))?.split(' ') ?? []
      t.match(await page.locator(`[id="${problemId}"]`).innerText(), /not the name of a time zone/)
      t.same(await page.context().cookies(server.origin), [])
    },
  )
}
