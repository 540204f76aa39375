import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { type StartedServer, startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { settingsForms } from '../../shared/screens/settings.ts'
import { screens } from '../../shared/screens.ts'
import { until } from '../../shared/testing/until.ts'
import { axeViolationsInBothThemes } from './axe.ts'
import {
  changesReachAllReplicas,
  expect,
  hydrated,
  type OpenedPage,
  serverForFile,
  type TestFixtures,
  test,
} from './fixtures.ts'

const password = 'correct horse'
const dayMs = 86_400_000
const asMe = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`

/** Opens the settings screen. */
async function openSettings(
  openPage: TestFixtures['openPage'],
  server: StartedServer,
  javaScriptEnabled: boolean,
): Promise<OpenedPage> {
  // With `httpCredentials`, Playwright would intercept each request and disable the cache.
  const page = await openPage({ javaScriptEnabled, extraHTTPHeaders: { authorization: asMe } })
  await page.goto(server.origin + screens.settings.path)
  if (javaScriptEnabled) await hydrated(page)
  return page
}

function part(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true })
}

/** Returns the error message that an invalid field references by `aria-describedby`. */
async function problemOf(field: Locator): Promise<string> {
  if ((await field.getAttribute('aria-invalid')) !== 'true') return 'The field is valid'
  const [id] = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  return field.page().locator(`[id="${id}"]`).innerText()
}

/** Returns the stored events of a service, newest first. */
async function storedEvents(server: StartedServer, service: string): Promise<Record<string, unknown>[]> {
  const url =
    server.origin + paths.export({ q: `service:${service}`, range: { span: '30d' }, format: 'ndjson' })
  const answer = await fetch(url, { headers: { authorization: asMe } })
  const lines = (await answer.text()).split('\n').filter(line => line !== '')
  return lines.map(line => JSON.parse(line))
}

/** Sends events to /ingest and returns the response status. */
async function send(server: StartedServer, authorization: string, ...events: object[]): Promise<number> {
  const answer = await fetch(server.origin + paths.ingest(), {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', authorization },
    body: events.map(event => JSON.stringify(event)).join('\n'),
  })
  return answer.status
}

/** A webhook receiver that records request bodies and responds with a configurable status. */
async function startReceiver(afterTest: TestFixtures['afterTest']) {
  const bodies: string[] = []
  const receiver = { status: 204, bodies, url: '' }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.writeHead(receiver.status).end(receiver.status === 204 ? undefined : 'no_such_hook')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterTest(() => server.close())
  const address = server.address()
  receiver.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook/s3cret`
  return receiver
}

test('a changed log level applies after a restart, until it is reset', async ({ openPage, afterTest }) => {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-e2e-'))
  afterTest(() => rm(folder, { recursive: true, force: true }))
  const env = { SIXPANE_PASSWORD: password, LOG_LEVEL: 'info' }
  const first = await startServer(env, { folder })
  afterTest(() => first.stop())
  const saved = await fetch(first.origin + paths.settings(), {
    method: 'POST',
    headers: { authorization: asMe },
    body: new URLSearchParams({ form: settingsForms.level, level: 'debug' }),
  })
  expect(saved.status).toBe(200)
  await first.stop()

  const second = await startServer(env, { folder })
  afterTest(() => second.stop())
  await fetch(second.origin + paths.livez())
  await second.line(line => line.level === 20 && line.path === paths.livez())
  const level = part(await openSettings(openPage, second, false), 'Log level')
  expect(await level.innerText()).toMatch(/Changed here\. Default: info/)
  expect(await level.getByLabel('Minimum level').inputValue()).toBe('debug')
  await level.getByRole('button', { name: 'Reset to the default' }).click()
  await level.getByText('Default value').waitFor()
  expect(await level.getByLabel('Minimum level').inputValue()).toBe('info')
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(`JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    const server = serverForFile({ SIXPANE_PASSWORD: password, LOG_LEVEL: 'info' })
    /** Checks both themes with axe, if JavaScript is on. `within` limits the check to the changed sections. */
    const accessible = async (page: Page, within?: string) => {
      if (javaScriptEnabled) expect(await axeViolationsInBothThemes(page, { within })).toEqual([])
    }
    /** Resolves once the page shows this text and is hydrated. */
    const shown = async (place: Locator, text: string) => {
      await place.getByText(text).first().waitFor()
      if (javaScriptEnabled) await hydrated(place.page())
    }

    test('a changed log level applies immediately, and can be reset', async ({ openPage }) => {
      const page = await openSettings(openPage, server, javaScriptEnabled)
      if (!javaScriptEnabled) {
        await expect(page.getByRole('button', { name: 'Commands' }), 'the palette needs scripts').toHaveCount(
          0,
        )
        await expect(page.getByLabel('Search by digest, request ID, trace ID or text')).toBeVisible()
      }
      const level = part(page, 'Log level')
      expect(await level.innerText()).toContain('Default value')
      await level.getByLabel('Minimum level').selectOption('debug')
      await level.getByRole('button', { name: 'Save' }).click()
      await shown(level, 'Log level saved.')
      expect(await level.innerText()).toMatch(/Changed here\. Default: info/)
      await accessible(page, '#log-level')
      const isDebugLine = (line: Record<string, unknown>) => line.level === 20 && line.path === paths.livez()
      await until(
        () => fetch(server.origin + paths.livez()),
        () => server.lines.some(isDebugLine),
      )

      await level.getByRole('button', { name: 'Reset to the default' }).click()
      await shown(level, 'Default value')
      await level.getByRole('button', { name: 'Undo' }).click()
      await shown(level, 'Changed here.')
      expect(await level.getByLabel('Minimum level').inputValue()).toBe('debug')
      await level.getByRole('button', { name: 'Reset to the default' }).click()
      await shown(level, 'Default value')
      expect(await level.getByLabel('Minimum level').inputValue()).toBe('info')
    })

    test('a form does not undo a change that was made after it was loaded', async ({ openPage }) => {
      const page = await openSettings(openPage, server, javaScriptEnabled)
      page.expectConsoleMessage('status of 422')
      const level = part(page, 'Log level')
      const select = level.getByLabel('Minimum level')
      const save = () => level.getByRole('button', { name: 'Save' }).click()
      await fetch(server.origin + paths.settings(), {
        method: 'POST',
        headers: { authorization: asMe },
        body: new URLSearchParams({ form: settingsForms.level, level: 'warn' }),
      })
      await select.selectOption('debug')
      await save()
      await shown(level, 'Not saved.')
      expect(await problemOf(select)).toContain(
        'Somebody has changed the log level in the meantime. The stored value is “warn”. Check it and save again',
      )
      expect(await select.inputValue()).toBe('debug')
      await accessible(page, '#log-level')
      await save()
      await shown(level, 'Log level saved.')
      expect(await select.inputValue()).toBe('debug')
      await level.getByRole('button', { name: 'Reset to the default' }).click()
      await shown(level, 'Default value')
    })

    test('a retention limit that deletes events requires confirmation', async ({ openPage }) => {
      await send(
        server,
        asMe,
        ...[0, 1, 5, 6, 7].map(days => ({
          name: 'shop',
          time: Date.now() - days * dayMs,
          msg: `${days} days`,
        })),
      )
      const page = await openSettings(openPage, server, javaScriptEnabled)
      page.expectConsoleMessage('status of 422')
      const retention = part(page, 'Retention')
      const days = retention.getByLabel('Days')
      const save = () => retention.getByRole('button', { name: 'Save' }).click()

      await days.fill('3O')
      await save()
      await shown(retention, 'Not saved.')
      expect(await days.inputValue()).toBe('3O')
      expect(await problemOf(days)).toContain('Must be a number from 0.01 to 36500')
      await accessible(page, '#retention')

      await days.fill('3')
      await save()
      await shown(retention, 'This deletes about 3 events. Not saved yet.')
      await accessible(page, '#retention')
      expect((await storedEvents(server, 'shop')).length).toBe(5)
      await retention.getByRole('link', { name: 'Cancel' }).click()
      // The new page with the form is visible once the confirmation is gone.
      await retention.getByText('This deletes').waitFor({ state: 'detached' })
      await shown(retention, 'Default value')

      await days.fill('3')
      await save()
      await retention.getByRole('button', { name: 'Delete about 3 events' }).click()
      await shown(retention, 'Retention saved.')
      await server.line(({ msg }) => msg === 'Deleted expired events')
      expect((await storedEvents(server, 'shop')).map(({ message }) => message).sort()).toEqual([
        '0 days',
        '1 days',
      ])
    })

    test('an additional redaction path can be previewed, and applies only to new events', async ({
      openPage,
    }) => {
      const line = { name: 'till', msg: 'Bought', user: { email: 'a@example.test', plan: 'free' } }
      await send(server, asMe, line)
      const page = await openSettings(openPage, server, javaScriptEnabled)
      page.expectConsoleMessage('status of 422')
      const redaction = part(page, 'Redaction')
      const typed = redaction.getByLabel('Additional paths to redact')
      await typed.fill('user[0].email')
      await redaction.getByRole('button', { name: 'Save' }).click()
      await shown(redaction, 'Check the highlighted field.')
      expect(await typed.inputValue()).toBe('user[0].email')
      expect(await problemOf(typed)).toContain('“user[0].email” is not a path')

      await typed.fill('user.email')
      await redaction.getByText('Preview on a log line').click()
      await redaction.getByLabel('Log line').fill(JSON.stringify(line))
      await redaction.getByRole('button', { name: 'Preview' }).click()
      const tried = redaction.getByRole('figure')
      expect(JSON.parse(await tried.locator('code').innerText())).toMatchObject({
        user: { email: '[redacted]', plan: 'free' },
      })
      await accessible(page, '#redaction')
      await send(server, asMe, line)
      await redaction.getByRole('button', { name: 'Save' }).click()
      await shown(redaction, 'Redaction saved.')
      await changesReachAllReplicas(server)
      await send(server, asMe, line)
      expect((await storedEvents(server, 'till')).map(({ attributes }) => attributes).reverse()).toEqual(
        [line.user, line.user, { ...line.user, email: '[redacted]' }].map(user => ({ user })),
      )
    })

    test('a webhook can be added, tested, changed and removed', async ({ openPage, afterTest }) => {
      const receiver = await startReceiver(afterTest)
      const page = await openSettings(openPage, server, javaScriptEnabled)
      page.expectConsoleMessage('status of 422')
      const webhooks = part(page, 'Webhooks')
      await webhooks.getByLabel('URL').fill('chat.example')
      await webhooks.getByRole('button', { name: 'Add webhook' }).click()
      await shown(webhooks, 'Check the 2 highlighted fields')
      expect(await webhooks.getByLabel('URL').inputValue()).toBe('chat.example')
      await webhooks.getByLabel('Name').fill('Chat')
      await webhooks.getByLabel('URL').fill(receiver.url)
      await webhooks.getByRole('button', { name: 'Add webhook' }).click()
      await shown(webhooks, 'Webhook “Chat” added.')
      expect(await webhooks.innerText()).toMatch(/whsec_/)

      await webhooks.getByRole('button', { name: 'Send a test to Chat' }).click()
      await shown(webhooks, 'Test delivered (HTTP 204)')
      expect(receiver.bodies).toEqual([expect.stringContaining('Test message from Sixpane')])
      expect(await page.content(), 'shows neither the secret nor the path of the URL').not.toMatch(
        /whsec_|s3cret/,
      )
      receiver.status = 404
      await webhooks.getByRole('button', { name: 'Send a test to Chat' }).click()
      await shown(webhooks, 'Test not delivered')
      expect(await webhooks.getByText('HTTP 404: no_such_hook').first().isVisible()).toBeTruthy()
      await accessible(page, '#webhooks, #audit')

      await webhooks.getByText('Change', { exact: true }).click()
      const name = webhooks.getByLabel('Name').first()
      expect(await name.inputValue()).toBe('Chat')
      await name.fill('On call')
      await webhooks.getByRole('button', { name: 'Save Chat' }).click()
      await shown(webhooks, 'Webhook saved.')
      receiver.status = 204
      await webhooks.getByRole('button', { name: 'Send a test to On call' }).click()
      await shown(webhooks, 'Test delivered')
      expect(receiver.bodies.length, 'the URL is unchanged').toBe(3)

      await webhooks.getByRole('button', { name: 'Remove webhook On call' }).click()
      await shown(webhooks, 'Webhook removed.')
      expect(await webhooks.innerText()).not.toContain('On call')
      await webhooks.getByRole('button', { name: 'Undo' }).click()
      await shown(webhooks, 'Change undone.')
      await webhooks.getByRole('button', { name: 'Send a test to On call' }).click()
      await shown(webhooks, 'Test delivered')
      expect(receiver.bodies.length, 'the URL is restored').toBe(4)
    })

    test('a token grants access to ingest until it is revoked', async ({ openPage }) => {
      const page = await openSettings(openPage, server, javaScriptEnabled)
      page.expectConsoleMessage('status of 422')
      const tokens = part(page, 'Tokens')
      await tokens.getByRole('button', { name: 'Create token' }).click()
      await shown(tokens, 'Not saved.')
      expect(await problemOf(tokens.getByLabel('Name'))).toContain('Enter a name')
      await tokens.getByLabel('Name').fill('shop')
      await tokens.getByRole('button', { name: 'Create token' }).click()
      await shown(tokens, 'Token “shop” created.')
      const token = await tokens
        .locator('code')
        .getByText(/^sxp_.{32}$/)
        .innerText()
      await expect.poll(() => send(server, `Bearer ${token}`, { msg: 'in' })).toBe(200)
      await page.goto(server.origin + screens.settings.path)
      expect(await page.content(), 'shown once').not.toContain(token)
      await tokens.getByText('Revoke', { exact: true }).click()
      await tokens.getByRole('button', { name: 'Revoke token shop' }).click()
      await shown(tokens, 'Token revoked.')
      await expect.poll(() => send(server, `Bearer ${token}`, { msg: 'out' })).toBe(401)
    })
  })
}
