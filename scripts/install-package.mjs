// @ts-check
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { root } from './prepare/root.mjs'

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sixpane')

/**
 * Copies a package of this repository to the cache and installs its dependencies there, so that they are part of neither the
 * repository nor its lockfile. Several processes can do this at the same time.
 * @param {string} source the package's folder, relative to the repository
 * @returns {Promise<string>} the folder in the cache
 */
export async function installPackage(source) {
  const from = join(root, source)
  const manifest = await readFile(join(from, 'package.json'))
  // One folder per manifest, so that no process replaces dependencies that another one uses.
  const version = createHash('sha256').update(manifest).digest('hex').slice(0, 8)
  const folder = `${join(cache, relative(root, from))}-${version}`
  if (existsSync(folder)) await copySources(from, folder)
  else await installInto(folder, from)
  return folder
}

/** @param {string} folder @param {string} from */
async function installInto(folder, from) {
  await mkdir(dirname(folder), { recursive: true })
  const temporary = await mkdtemp(`${folder}-`)
  await cp(from, temporary, { recursive: true })
  const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...options], { cwd: temporary })
  try {
    await rename(temporary, folder)
  } catch (error) {
    // Another process has installed the package in the meantime.
    if (!existsSync(folder)) throw error
    await rm(temporary, { recursive: true })
  }
}

/**
 * Renames each copy into place, because another process may be reading the file.
 * @param {string} from
 * @param {string} to
 */
async function copySources(from, to) {
  for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, file))
    const temporary = `${target}.${randomUUID()}`
    await mkdir(dirname(target), { recursive: true })
    await copyFile(file, temporary)
    await rename(temporary, target)
  }
}
