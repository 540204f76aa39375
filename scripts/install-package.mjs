// @ts-check
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { root } from './prepare/root.mjs'

/** The folder in which installed packages are cached between runs. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sixpane')

/** Thrown if npm cannot install a package, for example because there is no network connection. */
export class InstallError extends Error {
  /** @override */
  name = 'InstallError'
}

/**
 * Copies a package of this repository to the cache and installs its dependencies there, so that they are part of neither the
 * repository nor its lockfile.
 * @param {string} source the package's folder, relative to the repository
 * @returns {Promise<string>} the folder in the cache
 * @throws {InstallError}
 */
export async function installPackage(source) {
  const from = join(root, source)
  const manifest = await readFile(join(from, 'package.json'), 'utf8')
  const folder = await installManifest(relative(root, from), manifest)
  await copySources(from, folder)
  return folder
}

/**
 * Installs the packages of a manifest in a folder of the cache, once for each name and manifest. Several processes can do
 * this at the same time.
 * @param {string} name
 * @param {string} manifest
 * @returns {Promise<string>} the folder
 * @throws {InstallError}
 */
export async function installManifest(name, manifest) {
  // One folder per manifest, so that no process replaces dependencies that another one uses.
  const version = createHash('sha256').update(manifest).digest('hex').slice(0, 8)
  const folder = `${join(cache, name)}-${version}`
  if (existsSync(folder)) return folder
  await mkdir(dirname(folder), { recursive: true })
  const temporary = await mkdtemp(`${folder}-`)
  try {
    await writeFile(join(temporary, 'package.json'), manifest)
    await installIn(temporary).catch(cause => {
      throw new InstallError(`npm could not install ${name}`, { cause })
    })
    await rename(temporary, folder).catch(error => {
      // Another process has installed the packages in the meantime.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  return folder
}

/** @param {string} folder */
async function installIn(folder) {
  const options = [
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--fetch-retry-maxtimeout=2000',
    '--fetch-retry-mintimeout=1000',
  ]
  await promisify(execFile)('npm', ['install', ...options], { cwd: folder })
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
