// @ts-check
/**
 * `npm test`: installs, builds, gets a browser, then runs every check: types, lint and format, unit and contract
 * tests, browser tests. A step that fails does not keep the next from running. `npm test -- FILE…` runs the tests
 * of these files alone. The last line counts the tests; a failed check counts as one.
 */
import './prepare/node.mjs'
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'
import { prepareOrExit, tryToBuild } from './prepare.mjs'
import { findBrowser } from './test/browser.mjs'
import { ensureSandbox } from './test/sandbox.mjs'
import { buildTap, runTap } from './test/tap.mjs'

const browserTests = join('client', 'e2e')
const total = { passed: 0, failed: 0, skipped: 0 }

const asked = process.argv.slice(2).map(path => relative(root, path))
const [browserFiles, files] = asked.length === 0 ? [allBrowserFiles(), []] : splitFiles(asked)

await prepareOrExit(say, { builds: false })
const isBuilt = await check('Build', tryToBuild(say))
const bin = join(root, 'node_modules', '.bin')
if (asked.length === 0) {
  await check('Types', run(join(bin, 'tsc'), ['--noEmit']))
  await check('Lint and format', run(join(bin, 'biome'), ['check', '--error-on-warnings', '.']))
}
await check('Test runner', buildTap())
if (asked.length === 0 || files.length > 0) {
  await ensureSandbox(say)
  add(await runTap(files))
}
// A build of earlier sources would pass or fail for what they were.
if (browserFiles.length > 0 && isBuilt) {
  const browser = await findBrowser(say)
  if ('problem' in browser) fail('Browser', browser.problem)
  // Each of these files runs a server and a browser of its own: one at a time.
  else add(await runTap(['--jobs=1', ...browserFiles], { CHROMIUM_PATH: browser.path }))
}

if (total.skipped > 0) say(`${total.skipped} skipped`)
say(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

/** @param {string} line */
function say(line) {
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
  say(`✖ ${name}\n${output}\n`)
}

/** @param {string} name @param {Promise<{ code: number, output: string }>} outcome @returns {Promise<boolean>} */
async function check(name, outcome) {
  const { code, output } = await outcome
  if (code === 0) say(`✔ ${name}`)
  else fail(name, output)
  return code === 0
}

/** @param {readonly string[]} paths @returns {[browser: string[], other: string[]]} */
function splitFiles(paths) {
  const isBrowserTest = (/** @type {string} */ path) => path.startsWith(browserTests)
  return [paths.filter(isBrowserTest), paths.filter(path => !isBrowserTest(path))]
}

function allBrowserFiles() {
  const names = readdirSync(join(root, browserTests)).filter(name => name.endsWith('.test.ts'))
  return names.sort().map(name => join(browserTests, name))
}
