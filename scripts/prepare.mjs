// @ts-check
/** Installs and builds what is missing or out of date. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './prepare/lock.mjs'
import { isInstalled, stampInstalled } from './prepare/packages.mjs'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'
import { clearBuiltMark, isBuilt, markBuilt, sourcesSignature } from './prepare/sources.mjs'

/** @typedef {{ code: number, output: string }} Outcome */
/** @typedef {import('./prepare/packages.mjs').PackageSet} PackageSet */

/**
 * Installs and builds. If that fails, prints the error output and exits. Prints progress to standard error, because standard
 * output is for the log.
 * @param {(line: string) => void} [report] receives one line when a long step starts
 * @param {{ packageSet?: PackageSet, builds?: boolean }} [options] `builds: false` only installs
 */
export async function prepareOrExit(report = reportOnStderr, options = {}) {
  const { code, output } = await prepare(report, options)
  if (code === 0) return
  process.stderr.write(`Sixpane: ${output}\n`)
  process.exit(1)
}

/** @param {string} line */
function reportOnStderr(line) {
  process.stderr.write(`  ${line}\n`)
}

/**
 * Installs from the lockfile and builds, each only if needed. Concurrent processes wait for each other.
 * @param {(line: string) => void} report
 * @param {{ packageSet?: PackageSet, builds?: boolean }} [options]
 * @returns {Promise<Outcome>}
 */
export async function prepare(report, { packageSet = 'all', builds = true } = {}) {
  const done = { code: 0, output: '' }
  if ((await isInstalled(packageSet)) && (!builds || (await isBuilt()))) return done
  let outcome = done
  await withLock(join(root, 'dist', '.lock'), report, async () => {
    if (!(await isInstalled(packageSet))) outcome = await install(report, packageSet)
    if (outcome.code === 0 && builds && !(await isBuilt())) outcome = await build(report)
  })
  return outcome
}

/** @param {(line: string) => void} report @param {PackageSet} packageSet @returns {Promise<Outcome>} */
async function install(report, packageSet) {
  report(existsSync(join(root, 'node_modules')) ? 'Updating packages…' : 'Installing…')
  // Without --include=dev, npm omits the packages for the build if NODE_ENV is production.
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // The only workspace is scripts/test.
  if (packageSet === 'server') options.push('--workspaces=false')
  const { code, output } = await run('npm', ['ci', ...options])
  if (code === 0) await stampInstalled(packageSet)
  return { code, output: `npm ci failed:\n${output}` }
}

/** @param {(line: string) => void} report @returns {Promise<Outcome>} */
async function build(report) {
  report('Building…')
  await clearBuiltMark()
  const signature = await sourcesSignature()
  const { code, output } = await run(process.execPath, [join(root, 'scripts', 'build.mjs')])
  if (code === 0) await markBuilt(signature)
  return { code, output: `The build failed:\n${output}` }
}
