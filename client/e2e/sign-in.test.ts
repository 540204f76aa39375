import type { StartedServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { freePort } from '../cli/local-server.ts'
import { failingCheckout } from './events.ts'
import { expect, hydrated, type OpenedPage, startTestServer, test } from './fixtures.ts'
import { clientId, clientSecret, type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts'

let provider: OpenIdProvider
let server: StartedServer

test.beforeAll(async () => {
  const port = await freePort()
  provider = await startOpenIdProvider([`http://127.0.0.1:${port}`])
  server = await startTestServer({
    PORT: String(port),
    SIXPANE_OIDC_ISSUER: provider.issuer,
    SIXPANE_OIDC_CLIENT_ID: clientId,
    SIXPANE_OIDC_CLIENT_SECRET: clientSecret,
    SIXPANE_ADMINS: 'ada@team.example,unverified@team.example',
    SIXPANE_MEMBERS: 'developers',
    SIXPANE_VIEWERS: 'viewers,partners=shop',
    SIXPANE_PASSWORD: 'correct horse',
  })
  await send(...failingCheckout(Date.now()))
})

test.afterAll(async () => {
  await server?.stop()
  await provider?.stop()
})

const authorization = `Basic ${Buffer.from('ops:correct horse').toString('base64')}`

async function send(...events: object[]): Promise<void> {
  const response = await fetch(server.origin + paths.ingest(), {
    method: 'POST',
    body: JSON.stringify(events),
    headers: { authorization },
  })
  expect(response.status).toBe(200)
}

/** Signs in with the provider, whose page is open. */
async function signInAs(page: OpenedPage, user: string): Promise<void> {
  await page.getByLabel('User').fill(user)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** For redirects and error pages, which contain no scripts. Without scripts, the page after the sign-in loads faster. */
const withoutScripts = { javaScriptEnabled: false }

for (const javaScriptEnabled of [true, false]) {
  const suffix = `JavaScript ${javaScriptEnabled ? 'on' : 'off'}`

  test(`a user can sign in, sees the requested page, and can sign out, ${suffix}`, async ({ openPage }) => {
    const page = await openPage({ javaScriptEnabled })
    const wanted = `${server.origin}${paths.activities({ q: 'severity:error' })}`
    await page.goto(wanted)
    expect(new URL(page.url()).origin).toBe(provider.issuer)
    await signInAs(page, 'ada')
    await page.waitForURL(wanted)
    await page.goto(server.origin + paths.settings())
    if (javaScriptEnabled) await hydrated(page)
    await expect(page.getByRole('region', { name: 'Account' })).toContainText(
      'Signed in as ada@team.example (administrator).',
    )
    await expect(page.getByRole('region', { name: 'Audit log' })).toContainText('Signed in')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'You have signed out' })).toBeVisible()
    await expect(page.getByRole('link', { name: /^Sign out of/ })).toBeVisible()
    // If Sixpane redirected to the provider now, the provider would sign the user in again without asking.
    page.expectConsoleMessage('401')
    await page.goBack()
    await expect(page.getByText('Sign in to see this page.'), 'not the stored page').toBeVisible()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(server.origin + paths.settings())
  })
}

test('signing in never redirects to another site', async ({ openPage }) => {
  const page = await openPage(withoutScripts)
  const others = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example/login',
    'javascript:alert(1)',
  ]
  for (const to of others) {
    await page.goto(`${server.origin}${paths.signIn({ to })}`)
    if (new URL(page.url()).origin === provider.issuer) await signInAs(page, 'ada')
    await expect(page).toHaveURL(url => url.origin === server.origin)
  }
})

test('a viewer cannot change anything', async ({ openPage }) => {
  const viewer = await openPage()
  await viewer.goto(server.origin + paths.development())
  await signInAs(viewer, 'vera.viewers')
  await hydrated(viewer)
  await viewer
    .getByRole('link', { name: /CheckoutError|Cannot read|checkout/i })
    .first()
    .click()
  await expect(viewer.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await expect(viewer.getByRole('button', { name: 'Resolve' })).toHaveCount(0)
  await expect(viewer.getByLabel('Add a note')).toHaveCount(0)
  await viewer.goto(server.origin + paths.settings())
  await expect(viewer.getByRole('navigation', { name: 'Settings' }).getByRole('link')).toHaveText([
    'Preferences',
    'Account',
  ])
})

test('a page says why a sign-in failed: no role, not even for an unverified e-mail address, or cancelled', async ({
  openPage,
}) => {
  const page = await openPage(withoutScripts)
  page.expectConsoleMessage('403')
  const refusals = {
    'unverified.nobody': 'unverified.nobody has no access to Sixpane.',
    unverified: /has no access to Sixpane/,
    '': /did not sign you in: access_denied/,
  }
  for (const [user, reason] of Object.entries(refusals)) {
    await page.goto(server.origin)
    await signInAs(page, user)
    await expect(page.getByText(reason), user).toBeVisible()
    await page.context().clearCookies()
  }
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await expect(page.getByLabel('User')).toBeVisible()
})

test('signing out in one tab ends the session in the other', async ({ openPage }) => {
  const first = await openPage()
  await first.goto(server.origin + paths.activities())
  await signInAs(first, 'ada')
  await hydrated(first)
  const cookies = await first.context().cookies()
  const second = await first.context().newPage()
  await second.goto(server.origin + paths.settings())
  await second.getByRole('button', { name: 'Sign out' }).click()
  await expect(second.getByRole('heading', { name: 'You have signed out' })).toBeVisible()
  first.expectConsoleMessage('401')
  await first.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(first.getByRole('heading', { name: 'You have signed out' })).toBeVisible()
  // The server also rejects a copy of the cookie.
  const copy = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const response = await fetch(server.origin + paths.find(), { headers: { cookie: copy } })
  expect(response.status).toBe(401)
})

test('a form submitted after the session has ended asks the user to sign in, and keeps its text', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto(server.origin + paths.activities())
  await signInAs(page, 'ada')
  await hydrated(page)
  await page.getByText('Saved', { exact: true }).click()
  await page.getByLabel('Save search as').fill('slow requests')
  await page.context().clearCookies({ name: /session/ })
  page.expectConsoleMessage('401')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Not saved. Sign in, then try again.')).toBeVisible()
  await expect(page.getByLabel('Save search as')).toHaveValue('slow requests')

  // Another visitor may have pressed Back.
  page.expectConsoleMessage('Content Security Policy')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByLabel('User')).toBeVisible()
})

test('an administrator can use the password while the provider is down', async ({ openPage, afterTest }) => {
  const other = await startTestServer({
    SIXPANE_OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
    SIXPANE_OIDC_CLIENT_ID: clientId,
    SIXPANE_OIDC_CLIENT_SECRET: clientSecret,
    SIXPANE_ADMINS: 'ada@team.example',
    SIXPANE_PASSWORD: 'correct horse',
  })
  afterTest(() => other.stop())
  const page = await openPage({ httpCredentials: { username: 'ops', password: 'correct horse' } })
  page.expectConsoleMessage('503')
  await page.goto(other.origin)
  await page.getByRole('link', { name: 'Use the password' }).click()
  await page.waitForURL(`${other.origin}/`)
  await hydrated(page)
  // The browser sends the password without another challenge.
  await page.goto(other.origin + paths.settings())
  await hydrated(page)
  const account = page.getByRole('region', { name: 'Account' })
  await expect(account).toContainText('Signed in as ops (administrator).')
  await account.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('This browser still has the password.')).toBeVisible()
})

test('users can sign in after the provider has rotated its keys', async ({ openPage }) => {
  for (let time = 0; time < 2; time += 1) {
    const page = await openPage(withoutScripts)
    await page.goto(server.origin)
    await signInAs(page, 'ada')
    await page.waitForURL(`${server.origin}/`)
    await provider.rotateKeys()
  }
})

const seconds = () => Math.floor(Date.now() / 1000)
const wrongClaims = {
  'another nonce': { claims: { nonce: 'another' }, text: /can’t verify/ },
  'another audience': { claims: { aud: 'another' }, text: /can’t verify/ },
  'another issuer': { claims: { iss: 'http://127.0.0.1:1' }, text: /can’t verify/ },
  'an expired token': { claims: { exp: seconds() - 120, iat: seconds() - 600 }, text: /clocks .* differ/ },
} as const

test('a sign-in fails if the token has wrong claims, but not if the clocks differ by less than a minute', async ({
  openPage,
  afterTest,
}) => {
  afterTest(() => provider.setClaims(null))
  const page = await openPage(withoutScripts)
  page.expectConsoleMessage('502')
  const signIn = async (claims: object) => {
    await page.context().clearCookies()
    provider.setClaims(right => ({ ...right, ...claims }))
    await page.goto(server.origin)
    await signInAs(page, 'ada')
  }
  for (const [name, { claims, text }] of Object.entries(wrongClaims)) {
    await signIn(claims)
    await expect(page.getByText(text), name).toBeVisible()
    provider.setClaims(null)
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.waitForURL(`${server.origin}/`)
  }
  await signIn({ exp: seconds() - 30, iat: seconds() - 600 })
  await page.waitForURL(`${server.origin}/`)
})

test('a sign-in response works only once, and only in the browser that requested it', async ({
  openPage,
}) => {
  const page = await openPage(withoutScripts)
  let callback = ''
  page.on('request', request => {
    if (request.url().includes(paths.signInCallback())) callback = request.url()
  })
  await page.goto(server.origin)
  await signInAs(page, 'ada')
  await page.waitForURL(`${server.origin}/`)
  page.expectConsoleMessage('400')
  await page.goto(callback)
  await expect(page.getByText(/did not accept the sign-in: invalid_grant/)).toBeVisible()
  const victim = await openPage(withoutScripts)
  victim.expectConsoleMessage('400')
  await victim.goto(callback)
  await expect(victim.getByText(/another browser started it/)).toBeVisible()
  await victim.goto(callback.replace(/state=[^&]*/, 'state=invented'))
  await expect(victim.getByText(/another browser started it/)).toBeVisible()
})
