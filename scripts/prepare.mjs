// @ts-check
/** Installs and builds what is missing or out of date. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './prepare/lock.mjs'
import { installedFits, stampInstalled } from './prepare/packages.mjs'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'
import { builtFits, stampBuilt, unstampBuilt } from './prepare/sources.mjs'

/** @typedef {{ code: number, output: string }} Outcome */

/**
 * Prepares, or ends the process with the output of npm or the build. Progress goes to standard error: standard output
 * is for the log.
 * @param {(line: string) => void} [tell] gets a line when something starts that takes a while
 * @param {{ builds?: boolean }} [options] `builds: false` only installs
 */
export async function prepareOrExit(tell = tellAside, { builds = true } = {}) {
  const { code, output } = await prepare(tell, builds)
  if (code === 0) return
  process.stderr.write(`Sixpane: ${output}\n`)
  process.exit(1)
}

/** @param {string} line */
function tellAside(line) {
  process.stderr.write(`  ${line}\n`)
}

/**
 * Installs from the lockfile and builds, each only if needed. If two processes do it at once, one waits for the other.
 * @param {(line: string) => void} tell
 * @param {boolean} [builds]
 * @returns {Promise<Outcome>}
 */
export async function prepare(tell, builds = true) {
  const done = { code: 0, output: '' }
  if ((await installedFits()) && (!builds || (await builtFits()))) return done
  let outcome = done
  await withLock(join(root, 'dist', '.lock'), tell, async () => {
    if (!(await installedFits())) outcome = await install(tell)
    if (outcome.code === 0 && builds && !(await builtFits())) outcome = await build(tell)
  })
  return outcome
}

/** @param {(line: string) => void} tell @returns {Promise<Outcome>} */
async function install(tell) {
  tell(existsSync(join(root, 'node_modules')) ? 'Installing what changed…' : 'Installing…')
  // Without --include=dev, npm leaves out what the build needs if NODE_ENV is production.
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await run('npm', ['ci', ...options])
  if (code === 0) await stampInstalled()
  return { code, output: `npm ci failed:\n${output}` }
}

/** @param {(line: string) => void} tell @returns {Promise<Outcome>} */
async function build(tell) {
  tell('Building…')
  await unstampBuilt()
  const { code, output } = await run(process.execPath, [join(root, 'scripts', 'build.mjs')])
  if (code === 0) await stampBuilt()
  return { code, output: `The build failed:\n${output}` }
}
