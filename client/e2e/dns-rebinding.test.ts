/** A page of another site whose name resolves to 127.0.0.1 (DNS rebinding) must not reach Sixpane. */
import t from 'tap'
import { paths } from '../../shared/paths.ts'
import { launchBrowser } from './browser.ts'
import { startServer } from './server.ts'

const hosts = ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example']
const secret = 'CANARY-4e1b'

const browser = await launchBrowser([
  '--no-proxy-server',
  // Not every browser keeps public pages from requesting loopback addresses.
  '--disable-features=LocalNetworkAccessChecks',
  `--host-resolver-rules=${hosts.map(host => `MAP ${host} 127.0.0.1`).join(', ')}`,
])
t.teardown(() => browser.close())

for (const env of [{}, { SIXPANE_TRUST_PROXY: '127.0.0.1' }]) {
  const server = await startServer(env)
  t.teardown(() => server.stop())
  await server.send({ level: 30, msg: secret })

  for (const host of hosts) {
    t.test(`DNS rebinding is refused: ${host}, ${JSON.stringify(env)}`, async t => {
      const page = await browser.newPage()
      t.teardown(() => page.close())
      const origin = `http://${host}:${new URL(server.origin).port}`
      const opened = await page.goto(origin + paths.activities())
      t.equal(opened?.status(), 421)
      t.notMatch(await page.content(), secret)

      // The attacker's own page, served under this name before the name was rebound.
      await page.route(`${origin}/attack`, route =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>attack</title>' }),
      )
      await page.goto(`${origin}/attack`)
      for (const forwarded of [{}, { 'x-forwarded-host': 'localhost', 'x-forwarded-for': '127.0.0.1' }]) {
        const answers = await page.evaluate(attack, {
          forwarded,
          log: paths.activities(),
          act: paths.settings(),
        })
        t.same(
          answers.map(({ status }) => status),
          [421, 421],
          JSON.stringify(forwarded),
        )
        t.notMatch(answers.map(({ body }) => body).join('\n'), secret)
        t.notMatch(answers.map(({ body }) => body).join('\n'), 'sxp_')
      }
      const settings = await (await fetch(server.origin + paths.settings())).text()
      t.notMatch(settings, 'stolen', 'no token was created')
    })
  }

  t.test(`the same browser reaches Sixpane by its loopback address, ${JSON.stringify(env)}`, async t => {
    const page = await browser.newPage()
    t.teardown(() => page.close())
    await page.goto(server.origin + paths.activities())
    t.match(await page.content(), secret)
  })
}

/** Runs in the page: reads the log and creates a token. */
async function attack({
  forwarded,
  log,
  act,
}: {
  forwarded: Record<string, string>
  log: string
  act: string
}) {
  const answers = [
    await fetch(log, { headers: forwarded }),
    await fetch(act, {
      method: 'POST',
      headers: forwarded,
      body: new URLSearchParams({ form: 'make-token', name: 'stolen' }),
    }),
  ]
  return Promise.all(answers.map(async answer => ({ status: answer.status, body: await answer.text() })))
}
