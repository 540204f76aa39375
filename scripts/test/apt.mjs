// @ts-check
import { run } from '../prepare/run.mjs'

/**
 * Installs a Debian package, if this process is root and apt-get exists.
 * @param {string} name
 * @param {(line: string) => void} report
 * @returns {Promise<boolean>} whether it is installed now
 */
export async function installPackage(name, report) {
  if (process.getuid?.() !== 0 || (await run('apt-get', ['--version'])).code !== 0) return false
  report(`Installing ${name} with apt-get…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const update = await run('apt-get', ['update', '-qq'], { env })
  const install = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env })
  if (install.code !== 0) report(`apt-get could not install ${name}:\n${update.output}\n${install.output}`)
  return install.code === 0
}
