/** Runs most snippets from "Connect a service" unchanged, against the server that displays the snippets. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { settingsForms } from '../../shared/screens/settings.ts'
import { expect, hydrated, serverForFile, test } from './fixtures.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const password = 'correct "horse" $HOME'
const authorization = `Basic ${Buffer.from(`any:${password}`).toString('base64')}`
let folder: string
let env: NodeJS.ProcessEnv
const server = serverForFile({ SIXPANE_PASSWORD: password }, async server => {
  // The folder contains the packages that the snippets import, including `sixpane`.
  folder = await mkdtemp(join(tmpdir(), 'sixpane-connect-'))
  await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true })
  for (const name of ['pino', 'pino-loki', '@opentelemetry']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await symlink(root, join(folder, 'node_modules', 'sixpane'))
  // npm makes this file executable when it installs the package.
  await chmod(join(root, 'dist/cli/main.js'), 0o755)
  await symlink(join(root, 'dist/cli/main.js'), join(folder, 'node_modules/.bin/sixpane'))

  const answer = await fetch(server.origin + paths.settings(), {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({
      form: settingsForms.makeToken,
      name: 'snippets',
      'scope-ingest': 'on',
      'scope-source-maps': 'on',
    }),
  })
  const token = /sxp_[\w-]+/.exec(await answer.text())?.[0]
  env = { ...process.env, SIXPANE_PASSWORD: password, SIXPANE_TOKEN: token }
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const visitor = { httpCredentials: { username: 'any', password } }

let page: Page
test.beforeAll(async ({ browser }) => {
  page = await browser.newPage(visitor)
  await page.goto(server.origin + paths.development({ view: 'connect' }))
  await hydrated(page)
  for (const summary of await page.locator('.development-snippets summary').all()) {
    if ((await summary.locator('..').getAttribute('open')) === null) await summary.click()
  }
})
test.afterAll(() => page.close())

/** Returns the code of the snippet with this title. */
const code = (title: RegExp) => page.getByRole('figure', { name: title }).getByRole('code').innerText()

/** Returns the events that a search finds. */
async function found(q: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(server.origin + paths.export({ q, format: 'ndjson' }), {
    headers: { authorization },
  })
  return (await answer.text())
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

const sh = (script: string) => run('sh', ['-ec', script], { env, cwd: folder })
const node = (file: string) => run(process.execPath, [join(folder, file)], { env, cwd: folder })

test('curl', async () => {
  expect((await sh(await code(/with curl/))).stdout).toContain('"accepted":1')
  expect(await found('"sent with curl"')).toMatchObject([{ service: 'hello', severity: 'error' }])
})

test('a log file', async () => {
  await writeFile(join(folder, 'app.log'), '{"name":"filed","msg":"one"}\n{"name":"filed","msg":"two"}\n')
  expect((await sh(await code(/log file/))).stdout).toContain('"accepted":2')
  expect((await found('service:filed')).length).toBe(2)
})

test('the output of a program', async () => {
  await writeFile(join(folder, 'app.js'), 'console.log("hello from", "a process")\n')
  const { stdout } = await sh(await code(/output of a program/))
  expect(stdout).toBe('hello from a process\n')
  expect(await found('"from a process"')).toMatchObject([{ service: 'my-service', source: 'stdin' }])
})

test('pino', async () => {
  await writeFile(join(folder, 'logger.mjs'), await code(/with pino/))
  await writeFile(
    join(folder, 'app.mjs'),
    "import { logger } from './logger.mjs'\nlogger.error({ err: new TypeError('by pino') }, 'a line by pino')\n",
  )
  expect((await node('app.mjs')).stdout).toContain('a line by pino')
  expect(await found('"a line by pino"')).toMatchObject([
    { service: 'my-service', severity: 'error', exception: { type: 'TypeError', message: 'by pino' } },
  ])
})

test('Next.js', async () => {
  await writeFile(join(folder, 'next.config.mjs'), await code(/next\.config\.mjs/))
  await writeFile(
    join(folder, 'config.mjs'),
    "import config from './next.config.mjs'\nconsole.log(JSON.stringify([config.productionBrowserSourceMaps, config.env.SIXPANE_RELEASE]))\n",
  )
  const build = { ...env, NODE_ENV: 'production', SIXPANE_RELEASE: '1.4.0' }
  expect((await run(process.execPath, ['config.mjs'], { env: build, cwd: folder })).stdout).toBe(
    '[true,"1.4.0"]\n',
  )

  const module = await code(/instrumentation\.ts/)
  await writeFile(join(folder, 'instrumentation.mjs'), module)
  await writeFile(
    join(folder, 'next.mjs'),
    `import { onRequestError } from './instrumentation.mjs'
    await onRequestError(
      Object.assign(new Error('by next'), { digest: '2338471' }),
      { path: '/cart/1?secret=1', method: 'GET', headers: { cookie: 'session=1' } },
      { routerKind: 'App Router', routePath: '/cart/[id]', routeType: 'render', renderSource: 'react-server-components' },
    )`,
  )
  await node('next.mjs')
  const events = await found('"by next"')
  expect(events).toMatchObject([{ service: 'my-app', digest: '2338471', route: '/cart/[id]', method: 'GET' }])
  expect(JSON.stringify(events)).not.toContain('session=1')
})

test('OpenTelemetry', async () => {
  await writeFile(
    join(folder, 'otel.mjs'),
    `import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
    import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources'
    import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
    const resource = defaultResource().merge(detectResources({ detectors: [envDetector] }))
    const provider = new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor({ exporter: new OTLPLogExporter() })] })
    provider.getLogger('app').emit({ severityNumber: 13, body: 'a line by opentelemetry' })
    await provider.shutdown()`,
  )
  await sh(`${await code(/OpenTelemetry/)}\n${process.execPath} otel.mjs`)
  expect(await found('"a line by opentelemetry"')).toMatchObject([
    { service: 'my-service', release: '1.4.0', severity: 'warn', source: 'otlp' },
  ])
})

test('Loki', async () => {
  await writeFile(join(folder, 'loki.mjs'), await code(/Loki clients/))
  await writeFile(
    join(folder, 'by-loki.mjs'),
    "import { logger } from './loki.mjs'\nlogger.warn('a line by loki')\n",
  )
  await node('by-loki.mjs')
  expect(await found('"a line by loki"')).toMatchObject([
    { service: 'my-service', release: '1.4.0', severity: 'warn', source: 'loki' },
  ])
})

test('source maps', async () => {
  await mkdir(join(folder, 'dist'), { recursive: true })
  const map = { version: 3, sources: ['../a.ts'], sourcesContent: ['export {}'], names: [], mappings: 'AAAA' }
  await writeFile(join(folder, 'dist/a.js'), 'export{};\n//# sourceMappingURL=a.js.map\n')
  await writeFile(join(folder, 'dist/a.js.map'), JSON.stringify(map))
  const { stdout, stderr } = await sh(await code(/Source maps for a release/))
  expect(stdout + stderr).toMatch(/1 /)
})

for (const javaScriptEnabled of [true, false]) {
  test(`sending a test event opens it in the log, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async ({
    openPage,
  }) => {
    const page = await openPage({ ...visitor, javaScriptEnabled })
    await page.goto(server.origin + paths.development({ view: 'connect' }))
    await page.locator('summary', { hasText: 'Loki clients' }).click()
    await page.getByRole('button', { name: 'Send a test event: Loki clients' }).click()
    await page.getByRole('link', { name: /Test event for “Loki clients”/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toMatch(/^request:try-/)
  })
}
