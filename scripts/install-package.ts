import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { root } from './prepare/root.mjs'

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sixpane')

/**
 * Copies a package of this repository to the cache and installs its dependencies there, so that they are part of neither the
 * repository nor its lockfile. Returns the folder in the cache.
 * @param source the package's folder, relative to the repository
 */
export async function installPackage(source: string): Promise<string> {
  const from = join(root, source)
  const folder = join(cache, relative(root, from))
  const manifest = await readFile(join(from, 'package.json'), 'utf8')
  const stamp = join(folder, 'installed.json')
  const isInstalled = (await readFile(stamp, 'utf8').catch(() => '')) === manifest
  if (isInstalled) {
    await cp(from, folder, { recursive: true })
    return folder
  }
  // Installs into a temporary folder first, because several processes may do this at the same time.
  await mkdir(dirname(folder), { recursive: true })
  const temporary = join(dirname(folder), `.${basename(folder)}-${process.pid}`)
  await rm(temporary, { recursive: true, force: true })
  await cp(from, temporary, { recursive: true })
  const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...options], { cwd: temporary })
  await writeFile(join(temporary, 'installed.json'), manifest)
  await rm(folder, { recursive: true, force: true })
  await rename(temporary, folder)
  return folder
}
