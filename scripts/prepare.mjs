// @ts-check
/** Brings a clone to where it can run: what is missing or out of date is installed and built, the rest is left alone. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './prepare/lock.mjs'
import { installedFits, stampInstalled } from './prepare/packages.mjs'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'
import { builtFits, stampBuilt, unstampBuilt } from './prepare/sources.mjs'

/** What went wrong while preparing: `message` is for the person at the terminal. */
class PrepareError extends Error {
  /** @override */
  name = 'PrepareError'
}

/**
 * Prepares, or ends the process with what npm or the build said. What it does is told on standard error, as standard
 * output is for the log.
 * @param {(line: string) => void} [tell] gets a line when something starts that takes a while
 * @param {{ builds?: boolean }} [options] `builds: false` for who builds otherwise
 */
export async function prepareOrExit(tell = tellAside, { builds = true } = {}) {
  try {
    await prepare(tell, builds)
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error
    process.stderr.write(`Sixpane: ${error.message}\n`)
    process.exit(1)
  }
}

/** @param {string} line */
function tellAside(line) {
  process.stderr.write(`  ${line}\n`)
}

/**
 * Builds where that is needed, with what is installed.
 * @param {(line: string) => void} tell gets a line when something starts that takes a while
 * @returns {Promise<{ code: number, output: string }>} exit code and words of the build
 */
export async function tryToBuild(tell) {
  try {
    await prepare(tell, true)
    return { code: 0, output: '' }
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error
    return { code: 1, output: error.message }
  }
}

/**
 * Installs from the lockfile and builds, each only where it is needed. Safe to run twice at once: the second
 * waits for the first.
 * @param {(line: string) => void} tell
 * @param {boolean} builds
 * @throws {PrepareError} with what npm or the build said
 */
async function prepare(tell, builds) {
  if ((await installedFits()) && (!builds || (await builtFits()))) return
  await withLock(join(root, 'dist', '.lock'), tell, async () => {
    if (!(await installedFits())) await install(tell)
    if (builds && !(await builtFits())) await build(tell)
  })
}

/** @param {(line: string) => void} tell */
async function install(tell) {
  tell(existsSync(join(root, 'node_modules')) ? 'Installing what changed…' : 'Installing…')
  // Without --include=dev, npm leaves out what the build needs where NODE_ENV says production.
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await run('npm', ['ci', ...options])
  if (code !== 0) throw new PrepareError(`npm ci failed:\n${output}`)
  await stampInstalled()
}

/** @param {(line: string) => void} tell */
async function build(tell) {
  tell('Building…')
  await unstampBuilt()
  const { code, output } = await run(process.execPath, [join(root, 'scripts', 'build.mjs')])
  if (code !== 0) throw new PrepareError(`The build failed:\n${output}`)
  await stampBuilt()
}
