import { paths } from '../../shared/paths.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'
import { startProxy } from './proxy.ts'

const server = serverForFile()

/**
 * Starts a proxy that redirects requests to its sign-in page after the session has ended: to another origin, as Authelia
 * does, or to a path on the same origin, as caddy-security does.
 */
async function startSignInProxy(place: 'other origin' | 'same origin') {
  let isSignedIn = true
  const proxy = await startProxy(server, (request, response) => {
    const origin = place === 'same origin' ? '' : proxy.origin.replace('127.0.0.1', 'localhost')
    if (request.url === '/login') response.end('<title>Sign in</title><div id="page"><h1>Sign in</h1></div>')
    else if (isSignedIn) return false
    else response.writeHead(302, { location: `${origin}/login` }).end()
    return true
  })
  const endSession = () => {
    isSignedIn = false
  }
  return { ...proxy, endSession }
}

test("after a proxy session ends, links and refreshes lead to the proxy's sign-in page, forms ask the visitor to sign in, and a theme is not applied", async ({
  openPage,
  afterTest,
}) => {
  const { origin, close, endSession } = await startSignInProxy('other origin')
  afterTest(close)
  const page = await openPage()
  const home = await openPage()
  for (const each of [page, home]) {
    each.expectConsoleMessage('Content Security Policy')
    each.expectConsoleMessage('Refused to connect')
    each.expectConsoleMessage('violates')
  }
  await page.goto(origin + paths.settings())
  await hydrated(page)
  await home.clock.install()
  await home.goto(origin + paths.home())
  await hydrated(home)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await expect(palette.getByRole('status')).toHaveText(/\d results?/)
  endSession()
  await home.clock.fastForward(30_000)
  await expect(home.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await palette.getByRole('combobox').fill('theme dark')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The theme could not be saved')
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'dark')
  const redaction = page.getByRole('region', { name: 'Redaction', exact: true })
  await redaction.getByLabel('Additional paths').fill('user.email')
  await redaction.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('Not saved. Sign in, then try again.')
  await redaction.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('link', { name: 'Activities', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('after a session ends at a proxy whose sign-in page has the same origin, forms keep their text, and refreshes and links lead to that page', async ({
  openPage,
  afterTest,
}) => {
  const { origin, close, endSession } = await startSignInProxy('same origin')
  afterTest(close)
  const page = await openPage()
  const home = await openPage()
  await page.goto(origin + paths.settings())
  await hydrated(page)
  home.expectConsoleMessage('EventSource')
  await home.clock.install()
  await home.goto(origin + paths.home())
  await hydrated(home)
  endSession()
  await home.clock.fastForward(30_000)
  await expect(home.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  const redaction = page.getByRole('region', { name: 'Redaction', exact: true })
  await redaction.getByLabel('Additional paths').fill('user.email')
  await redaction.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('Not saved. Sign in, then try again.')
  await expect(redaction.getByLabel('Additional paths')).toHaveValue('user.email')
  await redaction.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('link', { name: 'Activities', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})
