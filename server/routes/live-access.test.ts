import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import t from 'tap'
import { startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { settingsForms } from '../../shared/screens/settings.ts'

t.test('a live feed ends when its token is revoked', async t => {
  const server = await startServer({ SIXPANE_PASSWORD: 'long enough' })
  t.teardown(() => server.stop())
  const settings = server.origin + paths.settings()
  const password = { authorization: `Basic ${btoa('ada:long enough')}`, origin: server.origin }
  const post = (form: Record<string, string>) =>
    fetch(settings, { method: 'POST', headers: password, body: new URLSearchParams(form) })
  const created = await post({
    form: settingsForms.makeToken,
    name: 'reader',
    'scope-read': 'on',
    'scope-ingest': 'on',
  })
  const page = await created.text()
  const [token = ''] = /sxp_[\w-]+/.exec(page) ?? []
  const authorization = `Bearer ${token}`
  const send = (body: string, headers: Record<string, string>) =>
    fetch(server.origin + paths.ingest(), { method: 'POST', headers, body: JSON.stringify({ body }) })

  const [feed]: IncomingMessage[] = await once(
    get(server.origin + paths.live(), { headers: { authorization }, agent: false }),
    'response',
  )
  if (feed?.statusCode !== 200) throw new Error(`The feed has status ${feed?.statusCode}`)
  feed.setEncoding('utf8')
  let received = ''
  const receivedBefore = new Promise<void>(resolve => {
    feed.on('data', chunk => {
      received += chunk
      if (received.includes('before')) resolve()
    })
  })
  t.equal((await send('before', { authorization })).status, 200)
  await receivedBefore
  const list = await (await fetch(settings, { headers: password })).text()
  const [, id = ''] = /name="id" value="([\w-]+)"/.exec(list) ?? []
  const ended = once(feed, 'end')
  t.equal((await post({ form: settingsForms.revokeToken, id })).status, 200)
  t.equal((await send('after', password)).status, 200)
  await ended
  t.notMatch(received, 'after')
})
