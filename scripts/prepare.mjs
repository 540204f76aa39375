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
export class PrepareError extends Error {
  name = 'PrepareError'
}

/**
 * Installs from the lockfile and builds, each only where it is needed. Safe to run twice at once: the second
 * waits for the first.
 * @param {{ tell: (line: string) => void }} options `tell` gets a line when something starts that takes a while
 * @throws {PrepareError} with what npm or the build said
 */
export async function prepare({ tell }) {
  if ((await installedFits()) && (await builtFits())) return
  await withLock(join(root, 'dist', '.lock'), tell, async () => {
    if (!(await installedFits())) await install(tell)
    if (!(await builtFits())) await build(tell)
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
