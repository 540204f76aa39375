// @ts-check
import { run } from '../prepare/run.mjs'

/**
 * Installs Debian packages if this process runs as root and apt-get exists.
 * @param {readonly string[]} names
 * @param {(line: string) => void} report
 * @returns {Promise<boolean>} whether they are installed now
 */
export async function installPackages(names, report) {
  if (process.getuid?.() !== 0 || (await run('apt-get', ['--version'])).code !== 0) return false
  report(`Installing ${names.join(', ')} with apt-get…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const update = await run('apt-get', ['update', '-qq'], { env })
  const install = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env })
  if (install.code !== 0)
    report(`apt-get could not install ${names.join(', ')}:\n${update.output}\n${install.output}`)
  return install.code === 0
}
