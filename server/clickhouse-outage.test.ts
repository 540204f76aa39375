/** Tests the built server while ClickHouse cannot be reached or rejects writes, and after it has recovered. */
import t, { type Test } from 'tap'
import { startClickHouse } from '../scripts/test/clickhouse.ts'
import { startCutProxy } from '../scripts/test/cut-proxy.ts'
import { startServer } from '../scripts/test/server.ts'
import { paths } from '../shared/paths.ts'
import { settingsForms } from '../shared/screens/settings.ts'
import { screenIds, screens } from '../shared/screens.ts'
import { requestsOfAllProtocols } from './ingest/testing.ts'

const pageOrigin = 'https://shop.example'
const clickHouse = await startClickHouse(t)
let databases = 0

/** Starts a server that reaches ClickHouse through a proxy, which can cut connections and reject queries. */
async function start(t: Test) {
  const proxy = await startCutProxy(t, clickHouse)
  databases += 1
  const server = await startServer({
    SIXPANE_STORE: `clickhouse://app:secret@${proxy.origin}/outage_${process.pid}_${databases}?tls=off`,
    SIXPANE_BROWSER_ORIGINS: pageOrigin,
  })
  t.teardown(() => server.stop())
  const { origin } = server
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(origin + path, { headers })
    const { status } = response
    return { status, retryAfter: response.headers.get('retry-after'), body: await response.text() }
  }
  /** Sends a request in each protocol. Returns the statuses and the Retry-After headers. */
  const ingest = async () =>
    Promise.all(
      requestsOfAllProtocols(pageOrigin).map(async ([name, [path, body, headers]]) => {
        const response = await fetch(origin + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        })
        return {
          name,
          ok: response.ok,
          status: response.status,
          retryAfter: response.headers.get('retry-after'),
        }
      }),
    )
  const saveLogLevel = () =>
    fetch(origin + paths.settings(), {
      method: 'POST',
      headers: { origin, accept: 'text/html' },
      body: new URLSearchParams({ form: settingsForms.level, level: 'debug' }),
      redirect: 'manual',
    })
  return { proxy, server, get, ingest, saveLogLevel }
}

const asPage = { accept: 'text/html' }

t.test('requests that need ClickHouse get 503 during an outage, and succeed afterwards', async t => {
  const { proxy, server, get, ingest, saveLogLevel } = await start(t)
  await server.send({ service: 'shop', message: 'before' })
  proxy.cutAll()

  for (const { name, status, retryAfter } of await ingest())
    t.match({ status, retryAfter }, { status: 503, retryAfter: '5' }, name)
  for (const id of screenIds) {
    const page = await get(screens[id].path, asPage)
    if (page.status === 200) continue
    t.match(page, { status: 503, retryAfter: '5', body: /Database unavailable.*Digest: /s }, id)
    t.notMatch(page.body, /127\.0\.0\.1:\d+\/|secret/, id)
  }
  t.equal((await get(screens.activities.path, asPage)).status, 503)
  const exported = await get(paths.export({ format: 'ndjson', range: { span: '1h' } }))
  t.match(exported, { status: 503, retryAfter: '5', body: /Sixpane cannot use its database at the moment/ })
  t.equal((await saveLogLevel()).status, 503)
  t.match(await get(paths.readyz()), { status: 503, body: /store unavailable/ })
  t.equal((await get(paths.livez())).status, 200)
  await server.line(({ msg }) => msg === 'Failed to store events')

  proxy.restore()
  for (const { name, ok } of await ingest()) t.ok(ok, name)
  for (const id of screenIds) t.equal((await get(screens[id].path, asPage)).status, 200, id)
  t.equal((await saveLogLevel()).status, 303)
  t.equal((await get(paths.readyz())).status, 200)
  const { body } = await get(paths.export({ format: 'ndjson', range: { span: '1h' } }))
  t.match(body, 'before')
  t.match(body, 'hello')
  t.notMatch(JSON.stringify(server.lines), /secret|YXBwOnNlY3JldA/, 'neither as text nor as base64')
  t.equal(await server.stop(), 0)
})

t.test('while ClickHouse rejects writes, the screens work, and clients are asked to retry', async t => {
  const { proxy, server, get, ingest, saveLogLevel } = await start(t)
  await server.send({ service: 'shop', message: 'before' })
  const errors = {
    'the disk is full': {
      code: 243,
      message: 'Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)',
    },
    'the table is read-only': { code: 242, message: 'Table is in readonly mode. (TABLE_IS_READ_ONLY)' },
    'the user is read-only': { code: 164, message: 'Cannot execute query in readonly mode. (READONLY)' },
    'too many parts': { code: 252, message: 'Too many parts (3000). (TOO_MANY_PARTS)' },
  }
  for (const [name, error] of Object.entries(errors)) {
    proxy.refuse(/^INSERT INTO/, error)
    for (const { name: protocol, status, retryAfter } of await ingest())
      t.match({ status, retryAfter }, { status: 503, retryAfter: '5' }, `${name}: ${protocol}`)
    t.equal((await saveLogLevel()).status, 503, name)
    // Screens only read, so the reason does not matter to the others.
    const shown = name === 'the disk is full' ? screenIds : (['activities'] as const)
    for (const id of shown) t.equal((await get(screens[id].path, asPage)).status, 200, `${name}: ${id}`)
    t.equal((await get(paths.readyz())).status, 200, 'the store can be read')
    proxy.restore()
    for (const { name: protocol, ok } of await ingest()) t.ok(ok, `after ${name}: ${protocol}`)
  }
  proxy.cutAll()
  t.equal(await server.stop(), 0, 'the server stops even if ClickHouse cannot be reached')
})
