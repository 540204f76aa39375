import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from '@playwright/test'
import { paths } from '../../shared/paths.ts'
import { installSixpane } from '../frameworks/install.ts'
import { installManifest } from '../install-package.mjs'
import { root } from '../prepare/root.mjs'
import { buildPage } from './build-page.ts'
import type { Console, ExportedEvent } from './console.ts'
import type { Sdk } from './sdks.ts'

/**
 * The kinds of data that an SDK can send, in the order of the table's columns. A cell is `null` if the SDK does not send this
 * kind.
 */
export const columns = [
  'failure',
  'found by digest',
  'source line',
  'release',
  'user',
  'tags and breadcrumbs',
  'request or page',
  'log',
  'session',
  'same failure as through pino',
  'Web Vitals',
] as const
export type Checked = { sdk: string; cells: Record<(typeof columns)[number], boolean | null> }

const applications = join(root, 'scripts/sentry/applications')

/**
 * Installs an SDK, causes a failure in an application that uses it, and checks whether Sixpane shows each kind of data that
 * the application sends.
 */
export async function checkSdk(
  sdk: Sdk,
  target: { console: Console; browser: Browser; pages: { origin: string; folder: string } },
): Promise<Checked> {
  const { console } = target
  const id = sdk.name.replace(/\W+/g, '-')
  const version = `${id}.${Date.now()}`
  const folder = await installManifest(`sentry${id}`, sdk.manifest)
  await cp(applications, folder, { recursive: true })
  await installSixpane(folder)
  const run = {
    folder,
    application: sdk.application,
    version,
    id,
    dsn: console.dsn(sdk.kind),
    digest: String(randomInt(1e9, 4e9)),
  }
  const line = sdk.kind === 'node' ? await runService(run, console) : await runPage(run, target)
  const find = (q: string) => console.find(`release:"${version}" ${q}`)
  const [failures, logs, sessions, requests, vitals] = await Promise.all([
    find('"card declined"'),
    sdk.name.endsWith(' 8') ? [] : find('"low stock"'),
    find('event.name:sixpane.sessions'),
    sdk.kind === 'node' ? find('status:500') : [],
    sdk.kind === 'browser' ? find('event.name:browser.web_vital') : [],
  ])
  const failure = failures.find(({ source }) => source === 'sentry')
  const page = await console.page(paths.development({ failure: failure?.fingerprint }))
  const throughPino = failures.find(({ source }) => source === 'ndjson')
  const dashboard = await console.page(paths.dashboard({ service: sdk.kind }))
  return {
    sdk: sdk.name,
    cells: {
      failure: failure?.exception?.type === 'TypeError' && failure.exception.message === 'card declined',
      'found by digest': await isFoundByDigest(run.digest, console),
      'source line': page.includes(line),
      release: failure?.release === version,
      user: failure?.attributes['user.id'] === 'u1',
      'tags and breadcrumbs': page.includes('plan: pro') && page.includes('loaded cart'),
      'request or page': sdk.kind === 'node' ? isRequest(requests[0]) : page.includes(`/${id}.html`),
      log: sdk.name.endsWith(' 8') ? null : logs.some(({ attributes }) => attributes.sku === 'A1'),
      session:
        sessions.length > 0 && dashboard.includes('Sessions by release') && dashboard.includes(version),
      'same failure as through pino':
        sdk.kind === 'node'
          ? failure?.fingerprint !== undefined && failure.fingerprint === throughPino?.fingerprint
          : null,
      'Web Vitals': sdk.kind === 'browser' ? vitals.length > 0 : null,
    },
  }
}

/** Whether the digest, pasted into the search box, leads to the failure. */
async function isFoundByDigest(digest: string, console: Console): Promise<boolean> {
  const page = await console.page(paths.activities({ q: digest }))
  return page.includes(`Showing digest ${digest}`) && page.includes('card declined')
}

function isRequest(event: ExportedEvent | undefined): boolean {
  return event?.method === 'GET' && event.message.includes('/cart')
}

/** Returns the file and line of the `throw` statement, as the failure page shows them. */
async function locationOfThrow(folder: string, file: string): Promise<string> {
  const lines = (await readFile(join(folder, file), 'utf8')).split('\n')
  return `${file}:${lines.findIndex(line => line.includes('throw ')) + 1}:`
}

type Run = { folder: string; application: string; version: string; id: string; dsn: string; digest: string }

/** Runs the service until it has sent everything. Returns the location of its `throw` statement. */
async function runService(
  { folder, application, version, dsn, digest }: Run,
  { server, token }: Console,
): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    SENTRY_DSN: dsn,
    SENTRY_RELEASE: `shop@${version}`,
    DIGEST: digest,
    SIXPANE_URL: server.origin,
    SIXPANE_TOKEN: token,
  }
  await promisify(execFile)(process.execPath, [application], { cwd: folder, env })
  return locationOfThrow(folder, application)
}

/** Builds the page, uploads its source map and causes the failure. Returns the location of its `throw` statement. */
async function runPage(
  { folder, application, version, id, dsn, digest }: Run,
  {
    console,
    browser,
    pages,
  }: { console: Console; browser: Browser; pages: { origin: string; folder: string } },
): Promise<string> {
  await buildPage({ folder, application, id, output: pages.folder })
  const cli = join(folder, 'node_modules/.bin/sentry-cli')
  const env = {
    PATH: process.env.PATH,
    SENTRY_URL: console.server.origin,
    SENTRY_AUTH_TOKEN: console.token,
    SENTRY_ORG: 'any',
    SENTRY_PROJECT: 'any',
  }
  const output = join(pages.folder, id)
  // Sixpane stores the maps in the background. Without --wait, the check could load the failure's page too early.
  const upload = ['sourcemaps', 'upload', '--wait', '--release', `web@${version}`, output]
  for (const args of [['sourcemaps', 'inject', output], upload]) await promisify(execFile)(cli, args, { env })
  const page = await browser.newPage()
  try {
    const query = new URLSearchParams({ dsn, release: `web@${version}`, digest })
    await page.goto(`${pages.origin}/${id}/${id}.html?${query}`)
    await page.getByRole('button', { name: 'Pay' }).click()
    await console.find(`release:"${version}" "card declined"`)
    // The SDK sends the remaining data when the visitor leaves.
    await page.goto('about:blank')
  } finally {
    await page.close()
  }
  return locationOfThrow(folder, application)
}
