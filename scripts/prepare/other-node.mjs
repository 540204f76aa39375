// @ts-check
import { join } from 'node:path'
import { run } from './run.mjs'

const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/**
 * Installs another version of Node, which npm provides as a package, in a folder. Returns the folder of its executable.
 * @param {string} version such as `24` or `24.21`
 * @param {string} folder
 * @returns {Promise<string>}
 * @throws Error if npm cannot install it
 */
export async function installNode(version, folder) {
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  const { code, output } = await run('npm', ['install', ...options, `${name}@${version}`])
  if (code !== 0) throw new Error(`${name}@${version} could not be installed:\n${output}`)
  return join(folder, 'node_modules', name, 'bin')
}
