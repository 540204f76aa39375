// @ts-check
import { run } from '../prepare/run.mjs'
import { installPackages } from './apt.mjs'

/** Arguments that test whether bubblewrap can start a sandbox like the one in the container layout test. */
const trial = ['--unshare-user', '--uid', '10001', '--gid', '10001', '--ro-bind', '/', '/', '--', 'true']

/**
 * Installs Debian's bubblewrap package if it is missing and can be installed.
 * @param {(line: string) => void} report
 */
export async function ensureSandbox(report) {
  if (process.platform !== 'linux' || (await run('bwrap', ['--version'])).code === 0) return
  await installPackages(['bubblewrap'], report)
}

/** @returns {Promise<string | null>} why bubblewrap does not work here, or `null` if it does */
export async function sandboxProblem() {
  const { code, output } = await run('bwrap', trial)
  return code === 0 ? null : `bubblewrap can't be used here: ${output}`
}
