import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { paths } from '../../shared/paths.ts'
import { screens } from '../../shared/screens.ts'
import { axeViolations } from './axe.ts'
import { closeBrowser, hydrated, type OpenedPage, openPage } from './browser.ts'
import { type StartedServer, startServer } from './server.ts'

const password = 'correct horse'
const dayMs = 86_400_000
t.teardown(closeBrowser)

/** The settings of a server of its own, as a visitor opens them. */
async function openSettings(t: Test, server: StartedServer, javaScriptEnabled: boolean): Promise<OpenedPage> {
  const page = await openPage(t, {
    javaScriptEnabled,
    reducedMotion: 'reduce',
    httpCredentials: { username: 'me', password },
  })
  await page.goto(server.origin + screens.settings.path)
  if (javaScriptEnabled) await hydrated(page)
  return page
}

function part(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true })
}

/** What stands beside a field that is not right, as a screen reader is led to it. */
async function problemOf(field: Locator): Promise<string> {
  if ((await field.getAttribute('aria-invalid')) !== 'true') return 'Nothing is wrong with it'
  const [id] = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  return field.page().locator(`[id="${id}"]`).innerText()
}

const asMe = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`

/** The events of a service that are kept, newest first, as the log exports them. */
async function kept(server: StartedServer, service: string): Promise<Record<string, unknown>[]> {
  const url =
    server.origin + paths.export({ q: `service:${service}`, range: { span: '30d' }, format: 'ndjson' })
  const answer = await fetch(url, { headers: { authorization: asMe } })
  const lines = (await answer.text()).split('\n').filter(line => line !== '')
  return lines.map(line => JSON.parse(line))
}

/** Sends events to /ingest and gives the status of the answer. */
async function send(server: StartedServer, authorization: string, ...events: object[]): Promise<number> {
  const answer = await fetch(server.origin + paths.ingest(), {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', authorization },
    body: events.map(event => JSON.stringify(event)).join('\n'),
  })
  return answer.status
}

/** Takes what is posted to it and answers as it is told. */
async function startReceiver(t: Test) {
  const bodies: string[] = []
  const receiver = { status: 204, bodies, url: '' }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.writeHead(receiver.status).end(receiver.status === 204 ? undefined : 'no_such_hook')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  receiver.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook/s3cret`
  return receiver
}

for (const javaScriptEnabled of [true, false]) {
  const mode = `JavaScript ${javaScriptEnabled ? 'on' : 'off'}`
  const server = await startServer({ SIXPANE_PASSWORD: password })
  t.teardown(() => server.stop())
  /** What axe finds is found by script. */
  const accessible = async (t: Test, page: Page) => {
    for (const colorScheme of javaScriptEnabled ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme })
      t.same(await axeViolations(page), [], colorScheme)
    }
  }
  /** Resolves once the page that holds this text may be typed into. */
  const shown = async (place: Locator, text: string) => {
    await place.getByText(text).first().waitFor()
    if (javaScriptEnabled) await hydrated(place.page())
  }

  t.test(`a changed log level holds at once and after a restart, ${mode}`, async t => {
    const folder = await mkdtemp(join(tmpdir(), 'sixpane-e2e-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const env = { SIXPANE_PASSWORD: password, LOG_LEVEL: 'info' }
    const first = await startServer(env, { folder })
    t.teardown(() => first.stop())
    const page = await openSettings(t, first, javaScriptEnabled)
    const level = part(page, 'Log level')
    t.match(await level.innerText(), 'As the environment sets it')
    await level.getByLabel('Write from this level on').selectOption('debug')
    await level.getByRole('button', { name: 'Save the level' }).click()
    await shown(level, 'The log level holds from now on')
    await accessible(t, page)
    await fetch(first.origin + paths.livez())
    await first.line(line => line.level === 20 && line.path === paths.livez())
    await first.stop()

    const second = await startServer(env, { folder })
    t.teardown(() => second.stop())
    await fetch(second.origin + paths.livez())
    await second.line(line => line.level === 20 && line.path === paths.livez())
    const later = await openSettings(t, second, javaScriptEnabled)
    const kept = part(later, 'Log level')
    t.match(await kept.innerText(), /Changed here\. The environment says info/)
    t.equal(await kept.getByLabel('Write from this level on').inputValue(), 'debug')
    await kept.getByRole('button', { name: 'Back to the environment’s value' }).click()
    await shown(kept, 'As the environment sets it')
    t.equal(await kept.getByLabel('Write from this level on').inputValue(), 'info')
  })

  t.test(`a retention that drops events is asked about first, ${mode}`, async t => {
    await send(
      server,
      asMe,
      ...[0, 1, 5, 6, 7].map(days => ({
        name: 'shop',
        time: Date.now() - days * dayMs,
        msg: `${days} days`,
      })),
    )
    const page = await openSettings(t, server, javaScriptEnabled)
    page.expectComplaint('status of 422')
    const retention = part(page, 'Retention')
    const days = retention.getByLabel('Days')
    const save = () => retention.getByRole('button', { name: 'Save the retention' }).click()

    await days.fill('3O')
    await save()
    await shown(retention, 'Nothing was saved')
    t.equal(await days.inputValue(), '3O')
    t.match(await problemOf(days), 'Must be a number from 0.01 to 36500')
    await accessible(t, page)

    await days.fill('3')
    await save()
    await shown(retention, 'This drops about 3 events. Nothing is changed yet.')
    await accessible(t, page)
    t.equal((await kept(server, 'shop')).length, 5)
    await retention.getByRole('link', { name: 'No, keep them' }).click()
    await shown(retention, 'As the environment sets it')

    await days.fill('3')
    await save()
    await retention.getByRole('button', { name: 'Yes, drop about 3 events' }).click()
    await shown(retention, 'The retention holds from now on')
    await server.line(({ msg }) => msg === 'Dropped events past their retention')
    t.same((await kept(server, 'shop')).map(({ message }) => message).sort(), ['0 days', '1 days'])
  })

  t.test(`a path is redacted from the next event on, and can be tried before, ${mode}`, async t => {
    const line = { name: 'till', msg: 'Bought', user: { email: 'a@example.test', plan: 'free' } }
    await send(server, asMe, line)
    const page = await openSettings(t, server, javaScriptEnabled)
    page.expectComplaint('status of 422')
    const redaction = part(page, 'Redaction')
    const typed = redaction.getByLabel('More paths to redact')
    await typed.fill('user[0].email')
    await redaction.getByRole('button', { name: 'Save the paths' }).click()
    await shown(redaction, 'Nothing was saved')
    t.equal(await typed.inputValue(), 'user[0].email')
    t.match(await problemOf(typed), '“user[0].email” is no path')

    await typed.fill('user.email')
    await redaction.getByText('Try them on a log line').click()
    await redaction.getByLabel('A log line').fill(JSON.stringify(line))
    await redaction.getByRole('button', { name: 'Try the paths' }).click()
    const tried = redaction.getByRole('figure')
    t.match(JSON.parse(await tried.locator('code').innerText()), {
      user: { email: '[redacted]', plan: 'free' },
    })
    await accessible(t, page)
    await send(server, asMe, line)
    await redaction.getByRole('button', { name: 'Save the paths' }).click()
    await shown(redaction, 'The paths hold for every event')
    await send(server, asMe, line)
    t.same(
      (await kept(server, 'till')).map(({ attributes }) => attributes).reverse(),
      [line.user, line.user, { ...line.user, email: '[redacted]' }].map(user => ({ user })),
    )
  })

  t.test(`a webhook is added, tested, changed and removed, ${mode}`, async t => {
    const receiver = await startReceiver(t)
    const page = await openSettings(t, server, javaScriptEnabled)
    page.expectComplaint('status of 422')
    const webhooks = part(page, 'Webhooks')
    await webhooks.getByLabel('Address').fill('chat.example')
    await webhooks.getByRole('button', { name: 'Add the webhook' }).click()
    await shown(webhooks, '2 fields below say')
    t.equal(await webhooks.getByLabel('Address').inputValue(), 'chat.example')
    await webhooks.getByLabel('Name').fill('Chat')
    await webhooks.getByLabel('Address').fill(receiver.url)
    await webhooks.getByRole('button', { name: 'Add the webhook' }).click()
    await shown(webhooks, 'The webhook “Chat” is added')
    t.match(await webhooks.innerText(), /whsec_/)

    await webhooks.getByRole('button', { name: 'Send a test to Chat' }).click()
    await shown(webhooks, 'The test message arrived: answered with 204')
    t.match(receiver.bodies, [/A test message of Sixpane/])
    t.notMatch(await page.content(), /whsec_|s3cret/, 'neither the key nor the path of the address')
    receiver.status = 404
    await webhooks.getByRole('button', { name: 'Send a test to Chat' }).click()
    await shown(webhooks, 'The test message did not arrive')
    t.ok(await webhooks.getByText('Answered with 404: no_such_hook').first().isVisible())
    await accessible(t, page)

    await webhooks.getByText('Change', { exact: true }).click()
    const name = webhooks.getByLabel('Name').first()
    t.equal(await name.inputValue(), 'Chat')
    await name.fill('On call')
    await webhooks.getByRole('button', { name: 'Save Chat' }).click()
    await shown(webhooks, 'The webhook is changed')
    receiver.status = 204
    await webhooks.getByRole('button', { name: 'Send a test to On call' }).click()
    await shown(webhooks, 'The test message arrived')
    t.equal(receiver.bodies.length, 3, 'at the address that it had')

    await webhooks.getByText('Remove', { exact: true }).click()
    await webhooks.getByRole('button', { name: 'Yes, remove On call' }).click()
    await shown(webhooks, 'The webhook is removed')
    t.notMatch(await webhooks.innerText(), 'On call')
  })

  t.test(`a token lets events in until it is revoked, ${mode}`, async t => {
    const page = await openSettings(t, server, javaScriptEnabled)
    page.expectComplaint('status of 422')
    const tokens = part(page, 'Ingest tokens')
    await tokens.getByRole('button', { name: 'Make a token' }).click()
    await shown(tokens, 'Nothing was saved')
    t.match(await problemOf(tokens.getByLabel('Name of a new token')), 'A name is needed')
    await tokens.getByLabel('Name of a new token').fill('shop')
    await tokens.getByRole('button', { name: 'Make a token' }).click()
    await shown(tokens, 'The token “shop” is made')
    const token = await tokens
      .locator('code')
      .getByText(/^sxp_.{32}$/)
      .innerText()
    t.equal(await send(server, `Bearer ${token}`, { msg: 'in' }), 200)
    await page.goto(server.origin + screens.settings.path)
    t.notMatch(await page.content(), token, 'shown once')
    await tokens.getByText('Revoke', { exact: true }).click()
    await tokens.getByRole('button', { name: 'Yes, revoke shop' }).click()
    await shown(tokens, 'The token is revoked')
    t.equal(await send(server, `Bearer ${token}`, { msg: 'out' }), 401)
  })
}
