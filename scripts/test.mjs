// @ts-check
/**
 * `npm test`: installs, builds and runs all checks: types, lint and format, unit tests, browser tests and, if relevant
 * sources have changed, the newest frameworks and Sentry SDKs. If a step fails, the remaining steps still run.
 *
 *   npm test                  everything
 *   npm test -- FILE…         only the tests in these files
 *   npm run test:fast         types, lint and format, and the unit tests that don't start processes or open stores on disk
 *
 * Failures of checks and unit tests are printed again at the end. The last line counts the tests; a failed check counts as
 * one.
 */
import './prepare/node.mjs'
import { join, relative } from 'node:path'
import { installPackage } from './install-package.mjs'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'
import { prepare, prepareOrExit } from './prepare.mjs'
import { installPackages } from './test/apt.mjs'
import { findBrowser, missingBrowserPackages } from './test/browser.mjs'
import { findTestFiles, groupUnitTests } from './test/groups.mjs'
import { runPlaywright } from './test/playwright.mjs'
import { missingSandboxPackages } from './test/sandbox.mjs'
import { runTap } from './test/tap.mjs'

const total = { passed: 0, failed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []
const args = process.argv.slice(2)
const isFast = args.includes('--fast')
const files = args.filter(arg => arg !== '--fast').map(path => relative(root, path))
const isBrowserTest = (/** @type {string} */ path) => path.startsWith(join('client', 'e2e'))

const runsAll = !isFast && files.length === 0
// apt-get mostly waits, so it runs while npm installs packages.
const installingDebianPackages = runsAll ? installDebianPackages() : null
await prepareOrExit(print, { builds: false })
if (isFast) {
  await Promise.all([checkSources(), testUnits(groupUnitTests(findTestFiles()).fast)])
} else if (runsAll) {
  const isBuilt = await check('Build', prepare(print))
  await Promise.all([checkSources(), installTools()])
  const { slow, fast } = groupUnitTests(findTestFiles())
  const testInBrowserIfBuilt = async () => {
    if (isBuilt) await testInBrowser([])
  }
  await Promise.all([testUnits([...slow, ...fast], testInBrowserIfBuilt), isBuilt && checkInstalled()])
} else {
  const isBuilt = await check('Build', prepare(print))
  const browserTests = files.filter(isBrowserTest)
  const unitTests = files.filter(file => !isBrowserTest(file))
  const { slow, fast } = groupUnitTests(unitTests)
  if (unitTests.length > 0) await testUnits([...slow, ...fast])
  if (browserTests.length > 0 && isBuilt) await testInBrowser(browserTests)
}

for (const failure of failures) print(failure)
if (total.skipped > 0) print(`${total.skipped} skipped`)
print(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

async function checkSources() {
  const bin = join(root, 'node_modules', '.bin')
  await Promise.all([
    // One checker, because each further one checks the shared types again.
    check('Types', run(join(bin, 'tsc'), ['--noEmit', '--checkers', '1'])),
    check('Lint and format', run(join(bin, 'biome'), ['check', '--error-on-warnings', '.'])),
  ])
}

async function installDebianPackages() {
  const missing = [...(await missingSandboxPackages()), ...(await missingBrowserPackages())]
  if (missing.length > 0) await installPackages(missing, print)
}

/** Installs what the tests need up front, so that several tests don't install it at the same time. */
async function installTools() {
  await installingDebianPackages
  await findBrowser(print)
  // If this fails, the tests try again and report the reason.
  await installPackage('scripts/test/clickhouse').catch(() => {})
}

/** Runs the checks that install third-party packages, one after the other, because a machine may have few cores. */
async function checkInstalled() {
  await checkNewest('Sentry SDKs', 'sentry.ts')
  await checkNewest('Frameworks', 'frameworks.ts')
}

/**
 * Checks the newest version of each framework or SDK if sources that the check depends on have changed. The check is skipped
 * if npm cannot install one of these versions, for example because there is no network connection.
 * @param {string} name
 * @param {string} script
 */
async function checkNewest(name, script) {
  const outcome = await run(process.execPath, ['--import=tsx', join('scripts', script), '--newest'])
  if (outcome.code !== 75) return check(name, Promise.resolve(outcome))
  total.skipped += 1
  print(`- ${name}: npm could not install the newest version`)
}

/**
 * @param {readonly (readonly string[])[]} groups the files of each process
 * @param {() => Promise<void>} [afterLastStart] see `runTap`
 */
async function testUnits(groups, afterLastStart) {
  const { failures: report, ...counts } = await runTap(groups, afterLastStart)
  add(counts)
  if (report !== '') failures.push(report)
}

/** @param {readonly string[]} files all browser tests if empty */
async function testInBrowser(files) {
  const browser = await findBrowser(print)
  if ('problem' in browser) fail('Browser', browser.problem)
  else add(await runPlaywright(files, browser.path))
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`)
}

/** @param {{ passed: number, failed: number, skipped: number }} counts */
function add(counts) {
  total.passed += counts.passed
  total.failed += counts.failed
  total.skipped += counts.skipped
}

/** @param {string} name @param {string} output */
function fail(name, output) {
  total.failed += 1
  const report = `✖ ${name}\n${output}\n`
  failures.push(report)
  print(report)
}

/** @param {string} name @param {Promise<{ code: number, output: string }>} outcome @returns {Promise<boolean>} */
async function check(name, outcome) {
  const { code, output } = await outcome
  if (code === 0) print(`✔ ${name}`)
  else fail(name, output)
  return code === 0
}
