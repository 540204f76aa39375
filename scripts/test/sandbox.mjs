// @ts-check
import { run } from '../prepare/run.mjs'
import { installPackages } from './apt.mjs'

/** A sandbox as the test of the container's layout starts it, around a command that does nothing. */
const trial = ['--unshare-user', '--uid', '10001', '--gid', '10001', '--ro-bind', '/', '/', '--', 'true']

/**
 * Gets bubblewrap from Debian's packages where it is missing and this may install it.
 * @param {(line: string) => void} tell
 */
export async function ensureSandbox(tell) {
  if (process.platform !== 'linux' || (await run('bwrap', ['--version'])).code === 0) return
  await installPackages(['bubblewrap'], tell)
}

/** @returns {Promise<string | null>} why bubblewrap can't be used here, or `null` where it can */
export async function sandboxProblem() {
  const { code, output } = await run('bwrap', trial)
  return code === 0 ? null : `bubblewrap can't be used here: ${output}`
}
