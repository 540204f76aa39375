/**
 * `npm run test:clickhouse`: tests several replicas with ClickHouse, in about a quarter of an hour.
 *
 *   npm run test:clickhouse                    kills replicas and ClickHouse while clients send events, then runs browser
 *                                              tests with three replicas behind a load balancer, and the conformance tests
 *                                              with a distributed table
 *   npm run test:clickhouse -- FILE…           only these browser tests
 *   CLICKHOUSE_URL=clickhouse://user:password@host:8443 npm run test:clickhouse
 *                                              uses this server instead of chDB, and also runs the other tests of the engine;
 *                                              tests with a distributed table need `?cluster=name` in the URL
 *
 * The last line counts the tests; the kill test and the conformance tests count as one each.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './prepare/run.mjs'
import { prepareOrExit } from './prepare.mjs'
import { findBrowser } from './test/browser.mjs'
import { launchClickHouse } from './test/clickhouse.ts'
import { runPlaywright } from './test/playwright.mjs'

/** Browser tests of features that depend on shared state. Other tests examine a single server, or need no store. */
const browserTests = [
  'activities',
  'dashboard',
  'facets',
  'failure-life',
  'failure-list',
  'failures',
  'forms',
  'live-tail',
  'log-tools',
  'merge-split',
  'navigation',
  'open-event',
  'preferences',
  'promise',
  'settings',
  'sign-in',
  'source-maps',
  'time',
  'waterfall',
].map(name => join('client', 'e2e', `${name}.test.ts`))

const files = process.argv.slice(2)
const total = { passed: 0, failed: 0 }

await prepareOrExit()
if (files.length === 0) {
  await check(['--import=tsx', join('scripts', 'faults.ts'), 'replicas'])
  // `npm test` already runs the engine's other tests with chDB.
  const isOwnServer = process.env.CLICKHOUSE_URL === undefined
  const engineTests = ['store', 'replicas'].map(name =>
    join('server', 'store', 'clickhouse', `${name}.test.ts`),
  )
  await check([
    join('scripts', 'test.mjs'),
    join('scripts', 'test', 'cluster-conformance.ts'),
    ...(isOwnServer ? [] : engineTests),
  ])
}
await testInBrowser(files.length === 0 ? browserTests : files)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

async function check(args: readonly string[]): Promise<void> {
  const { code } = await run(process.execPath, args, { inherit: true })
  if (code === 0) total.passed += 1
  else total.failed += 1
}

async function testInBrowser(tests: readonly string[]): Promise<void> {
  const browser = await findBrowser(console.log)
  if ('problem' in browser) {
    console.log(browser.problem)
    total.failed += 1
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-clickhouse-'))
  const { url, stop } = await launchClickHouse(folder)
  process.env.TEST_CLICKHOUSE = url.href
  try {
    const { passed, failed } = await runPlaywright(tests, browser.path)
    total.passed += passed
    total.failed += failed
  } finally {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}
