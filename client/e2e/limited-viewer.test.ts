import { randomBytes } from 'node:crypto'
import { paths } from '../../shared/paths.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const limited = { 'remote-user': 'partner' }
const admin = { 'remote-user': 'ada' }

/** Every event of the service that the viewer must not see contains this word. */
const hidden = 'zebra'
const sharedTrace = randomBytes(16).toString('hex')
const sharedDigest = '2338471094'

const server = serverForFile(
  {
    SIXPANE_AUTH: 'proxy',
    SIXPANE_TRUST_PROXY: '127.0.0.1',
    SIXPANE_ADMINS: 'ada',
    SIXPANE_VIEWERS: 'partner=shop',
  },
  async ({ origin }) => {
    const now = Date.now()
    // Both services have the same kinds of events, and share a trace, a digest and a failure.
    const eventsOf = (service: string) => [
      {
        service,
        time: now - 3000,
        message: `${service} opened`,
        traceId: sharedTrace,
        attributes: { [`${service}.id`]: service },
      },
      {
        service,
        time: now - 2000,
        level: 'error',
        message: `${service} failed`,
        release: `1.0-${service}`,
        method: 'GET',
        route: `/pay/${service}`,
        status: 500,
        durationMs: 40,
        traceId: sharedTrace,
        requestId: `request-${service}`,
        digest: sharedDigest,
        exception: {
          type: 'PaymentError',
          message: `declined by ${service}`,
          stack: `PaymentError: declined by ${service}\n    at pay (/app/${service}.js:1:2)`,
        },
      },
    ]
    const headers = { ...admin, origin }
    const events = JSON.stringify([...eventsOf('shop'), ...eventsOf(hidden)])
    expect((await fetch(origin + paths.ingest(), { method: 'POST', body: events, headers })).status).toBe(200)
    const form = new URLSearchParams({ form: 'save', name: `all of ${hidden}`, view: `q=service:${hidden}` })
    await fetch(origin + paths.activities(), { method: 'POST', body: form, headers, redirect: 'manual' })
  },
)

async function textAt(path: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(server.origin + path, { headers: { ...headers, accept: 'text/html,*/*' } })
  return `${response.status} ${await response.text()}`
}

/** Returns every path that shows stored data. */
function allPaths(): string[] {
  const searches = [
    '',
    hidden,
    `service:${hidden}`,
    `-service:shop`,
    `trace:${sharedTrace}`,
    `digest:${sharedDigest}`,
    'PaymentError',
  ]
  return [
    ...screenIds.map(id => screens[id].path),
    ...searches.flatMap(q => [
      paths.activities({ q }),
      paths.export({ q, format: 'csv' }),
      paths.export({ q, format: 'ndjson' }),
    ]),
    ...[undefined, 'shop', hidden].map(service => paths.dashboard({ service })),
    paths.dashboard({ table: 'durations' }),
    paths.home({ services: 'all' }),
    paths.development({ digest: sharedDigest }),
    paths.development({ state: 'all', q: hidden }),
    paths.development({ service: hidden }),
    paths.development({ view: 'connect' }),
    paths.find(),
    ...['', 'service:', 'release:', 'route:', 'z', '@'].map(q => paths.complete({ q, at: q.length })),
  ]
}

test('a viewer of one service sees no data of other services in any response', async () => {
  let shown = 0
  for (const path of allPaths()) {
    // Pages repeat the search text from the URL.
    const typed = new URL(path, server.origin).search
    const text = await textAt(path, limited)
    const others = text.replaceAll(hidden, (word, at: number) =>
      typed.includes(hidden) && isEcho(text, at) ? '' : word,
    )
    expect(others, path).not.toContain(hidden)
    if ((await textAt(path, admin)).includes(hidden)) shown += 1
  }
  expect(shown, 'paths that show the service to an administrator').toBeGreaterThan(20)
})

/** Whether the hidden name at this position comes from the URL instead of the store, judging by the surrounding text. */
function isEcho(text: string, at: number): boolean {
  const around = text.slice(Math.max(0, at - 12), at + hidden.length + 8)
  return !new RegExp(
    `${hidden} (?:opened|failed)|declined by ${hidden}|/pay/${hidden}|1\\.0-${hidden}|${hidden}\\.(?:id|js)|request-${hidden}|all of ${hidden}`,
  ).test(around)
}

test('events of other services cannot be opened by id', async () => {
  const found = await (
    await fetch(server.origin + paths.export({ q: `service:${hidden}`, format: 'ndjson' }), {
      headers: admin,
    })
  ).text()
  const ids = found
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).id)
  expect(ids.length).toBeGreaterThan(1)
  for (const id of ids) {
    const text = await textAt(paths.activities({ event: id }), limited)
    expect(text).not.toContain(`${hidden} opened`)
    expect(text).not.toContain(`${hidden} failed`)
  }
})

test("the live feed contains only events of the viewer's service", async () => {
  const end = new AbortController()
  const stream = await fetch(server.origin + paths.live(), { headers: limited, signal: end.signal })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  const events = [hidden, 'shop'].map(service => ({ service, message: `${service} is live` }))
  await fetch(server.origin + paths.ingest(), {
    method: 'POST',
    body: JSON.stringify(events),
    headers: admin,
  })
  let text = ''
  while (!text.includes('shop is live')) text += (await reader?.read())?.value ?? ''
  end.abort()
  expect(text).not.toContain(hidden)
})

test('every screen and the palette work for the viewer, and show no data of other services', async ({
  openPage,
}) => {
  const page = await openPage({ extraHTTPHeaders: limited })
  for (const id of screenIds) {
    await page.goto(server.origin + screens[id].path)
    await hydrated(page)
    await expect(page.locator('body')).not.toContainText(hidden)
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'shop' }).first().waitFor()
  await expect(page.getByRole('dialog')).not.toContainText(hidden)
})

test('when the browser restores a page that another user loaded, the page is reloaded', async ({
  openPage,
}) => {
  const page = await openPage({ extraHTTPHeaders: admin })
  await page.goto(server.origin + paths.activities())
  await hydrated(page)
  const log = page.getByRole('main')
  await expect(log).toContainText(`${hidden} opened`)
  await page.context().setExtraHTTPHeaders(limited)
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(log).not.toContainText(hidden)
  await expect(log).toContainText('shop opened')
})
