// @ts-check
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './root.mjs'

const lockfile = join(root, 'package-lock.json')
const stampFile = join(root, 'node_modules', '.sixpane')

/**
 * `server`: the packages that the server and its build need. `all`: also those of scripts/test/package.json, which only
 * tests and other checks need.
 * @typedef {'server' | 'all'} PackageSet
 */

/**
 * Returns the lockfile's hash and the platform, which determines the optional packages.
 * @param {string} [folder] the project's folder
 */
export async function packagesStamp(folder = root) {
  const hash = createHash('sha256')
    .update(await readFile(join(folder, 'package-lock.json')))
    .digest('hex')
  return `${hash} ${process.platform} ${process.arch}`
}

/**
 * Whether node_modules contains the packages in the lockfile, even if npm was called directly to install them.
 * @param {PackageSet} packageSet
 */
export async function isInstalled(packageSet) {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '')
  if (stamp === (await installStamp('all')) || stamp === (await installStamp(packageSet))) return true
  // npm records the installed packages in this file.
  const [wanted, present] = await Promise.all([
    readPackages(lockfile),
    readPackages(join(root, 'node_modules', '.package-lock.json')),
  ])
  if (wanted === null || present === null || !isSame(wanted, present)) return false
  await stampInstalled('all')
  return true
}

/** @param {PackageSet} packageSet */
export async function stampInstalled(packageSet) {
  await writeFile(stampFile, await installStamp(packageSet))
}

/** @param {PackageSet} packageSet */
async function installStamp(packageSet) {
  return `${await packagesStamp()} ${packageSet}`
}

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }>} Packages */

/** @param {string} path @returns {Promise<Packages | null>} */
async function readPackages(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8')).packages
  } catch {
    return null
  }
}

/** @param {Packages} wanted @param {Packages} present */
function isSame(wanted, present) {
  const missing = Object.entries(wanted).some(
    ([path, { version, integrity, optional, devOptional }]) =>
      path !== '' &&
      // Optional packages for other platforms are absent.
      (present[path] === undefined
        ? !(optional || devOptional)
        : present[path].version !== version || present[path].integrity !== integrity),
  )
  return !missing && Object.keys(present).every(path => wanted[path] !== undefined)
}
