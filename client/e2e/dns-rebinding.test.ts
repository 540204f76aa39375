/** DNS rebinding: a page on another site must not reach Sixpane through a host name that resolves to 127.0.0.1. */
import type { Browser } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { expect, serverForFile, test } from './fixtures.ts'

const hosts = ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example']
const secret = 'CANARY-4e1b'

// The tests start this browser themselves, because other options for the fixture would also start another worker.
let browser: Browser
test.beforeAll(async ({ playwright, launchOptions }) => {
  browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      '--no-proxy-server',
      // Not every browser blocks requests from public pages to loopback addresses.
      '--disable-features=LocalNetworkAccessChecks',
      `--host-resolver-rules=${hosts.map(host => `MAP ${host} 127.0.0.1`).join(', ')}`,
    ],
  })
})
test.afterAll(() => browser?.close())

for (const env of [{}, { SIXPANE_TRUST_PROXY: '127.0.0.1' }]) {
  test.describe(`with the environment ${JSON.stringify(env)}`, () => {
    const server = serverForFile(env, server => server.send({ level: 30, msg: secret }))

    test('DNS rebinding is rejected, but the same browser can reach Sixpane at its loopback address', async () => {
      const page = await browser.newPage()
      for (const host of hosts) {
        const origin = `http://${host}:${new URL(server.origin).port}`
        const opened = await page.goto(origin + paths.activities())
        expect(opened?.status(), host).toBe(421)
        expect(await page.content(), host).not.toContain(secret)

        // Simulates a page that the attacker served from this host name before rebinding the name.
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
          expect(
            answers.map(({ status }) => status),
            `${host}, ${JSON.stringify(forwarded)}`,
          ).toEqual([421, 421])
          const bodies = answers.map(({ body }) => body).join('\n')
          expect(bodies, host).not.toContain(secret)
          expect(bodies, host).not.toContain('sxp_')
        }
        const settings = await (await fetch(server.origin + paths.settings())).text()
        expect(settings, `${host}: no token was created`).not.toContain('stolen')
      }
      await page.goto(server.origin + paths.activities())
      expect(await page.content()).toContain(secret)
    })
  })
}

/** Runs in the attacker's page, and tries to read the log and create a token. */
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
