// @ts-check
import { run } from '../prepare/run.mjs'

/** Arguments that test whether bubblewrap can start a sandbox like the one in the container layout test. */
const trial = ['--unshare-user', '--uid', '10001', '--gid', '10001', '--ro-bind', '/', '/', '--', 'true']

/** @returns {Promise<string[]>} the Debian packages that install bubblewrap; empty if it is installed or does not exist here */
export async function missingSandboxPackages() {
  return process.platform !== 'linux' || (await run('bwrap', ['--version'])).code === 0 ? [] : ['bubblewrap']
}

/** @returns {Promise<string | null>} why bubblewrap does not work here, or `null` if it does */
export async function sandboxProblem() {
  const { code, output } = await run('bwrap', trial)
  return code === 0 ? null : `bubblewrap can't be used here: ${output}`
}
