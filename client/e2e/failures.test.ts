import { failureSentence } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { axeViolationsInBothThemes } from './axe.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const server = serverForFile({ SIXPANE_DRILL: '1' })
const hostOf = () => new URL(server.origin).host

for (const javaScriptEnabled of [true, false]) {
  test(`each drill shows the failure page with a digest, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled })
    page.expectConsoleMessage('status of 500')
    for (const way of ['content', 'render', 'late'] as const) {
      const answer = await page.goto(server.origin + paths.development({ drill: way }))
      expect(answer?.status(), way).toBe(way === 'late' ? 200 : 500)
      await page.getByText(failureSentence('server', hostOf())).waitFor()
      expect(await page.getByRole('navigation').count(), 'the screen is gone').toBe(0)
      const digest = /Digest: ([0-9a-f]{10})/.exec(await page.getByRole('alert').innerText())?.[1]
      const line = await server.line(each => each.digest === digest)
      expect(line).toMatchObject({
        level: 50,
        route: '/development',
        err: { message: expect.stringContaining('on purpose') },
      })
      // Whether the response contained a failure page does not affect how a browser with JavaScript searches.
      if (javaScriptEnabled) continue

      // A search for the digest opens the failure only after its event is stored, up to 200 ms after the log line.
      await expect(async () => {
        await page.goto(server.origin)
        await page.getByRole('searchbox').first().fill(String(digest))
        await page.getByRole('searchbox').first().press('Enter')
        await page.waitForURL(url => url.searchParams.get('failure') === digest, { timeout: 5_000 })
      }).toPass()
      await page
        .getByRole('main')
        .getByText(/fails on purpose/)
        .first()
        .waitFor()
      await page.getByText(String(line.reqId)).first().waitFor()
    }
  })
}

test('a page that fails in the browser reports the failure and shows the digest that the server returns', async ({
  openPage,
}) => {
  const page = await openPage()
  page.expectConsoleMessage('on purpose')
  await page.goto(`${server.origin}/ui?drill=client`)
  await page.getByText(failureSentence('client', hostOf())).waitFor()
  const shown = page.getByText(/^Digest: [0-9a-f]{10}$/)
  await shown.waitFor()
  const digest = (await shown.innerText()).replace('Digest: ', '')
  const line = await server.line(each => each.digest === digest)
  expect(line).toMatchObject({
    level: 50,
    side: 'client',
    route: '/ui',
    err: { message: expect.stringContaining('on purpose'), stack: expect.stringContaining('routes.tsx') },
  })
})

test('the failure page looks the same for server and browser failures, has links, and a click selects the digest', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 360, height: 800 } })
  for (const expected of ['on purpose', 'status of 500']) page.expectConsoleMessage(expected)
  const appearances = []
  for (const drill of ['content', 'client'] as const) {
    const url = server.origin + paths.development({ drill })
    await page.goto(url)
    const digest = page.getByText(/^Digest: [0-9a-f]{10}$/)
    await digest.waitFor()
    expect(await axeViolationsInBothThemes(page), drill).toEqual([])
    const dark = await page.evaluate(appearance)
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await page.evaluate(appearance)
    expect(light, drill).not.toEqual(dark)
    appearances.push({ light, dark })

    await digest.click()
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(await digest.innerText())
    expect(
      await page
        .getByRole('link', { name: 'Reload this page' })
        .evaluate(link => link.matches('a') && Reflect.get(link, 'href')),
    ).toBe(url)
    await page.getByRole('link', { name: 'Go to Home' }).click()
    await page.locator('main[data-screen="home"]').waitFor()
    await hydrated(page)
  }
  const [ofServer, ofClient] = appearances
  expect(ofClient).toEqual(ofServer)
})

/** Returns the styles and positions of a failure page's elements, without their text, which differs. */
function appearance() {
  return [...document.querySelectorAll('h1, p, a, body')].map(element => {
    const { color, backgroundColor, font, margin } = getComputedStyle(element)
    const { left, width } = element.getBoundingClientRect()
    const isText = element.matches('h1, p')
    return { name: element.tagName, color, backgroundColor, font, margin, left, width: isText ? null : width }
  })
}

test('a link to a failing screen shows the same failure page as a full page load', async ({ openPage }) => {
  const page = await openPage()
  page.expectConsoleMessage('status of 500')
  await page.goto(`${server.origin}/development?view=drill`)
  await hydrated(page)
  await page.getByRole('region', { name: 'Drill' }).getByRole('link').first().click()
  await page.getByText(failureSentence('server', hostOf())).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1 }).waitFor()
})

test('the server stops cleanly after the failures', async () => {
  expect(await server.stop()).toBe(0)
})
