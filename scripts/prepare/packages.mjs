// @ts-check
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './root.mjs'

const lockfile = join(root, 'package-lock.json')
const stampFile = join(root, 'node_modules', '.sixpane')

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

/** Whether node_modules matches the lockfile, even if npm was run directly. */
export async function isInstalled() {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '')
  if (stamp === (await packagesStamp())) return true
  // npm records the installed packages in this file.
  const [wanted, present] = await Promise.all([
    readPackages(lockfile),
    readPackages(join(root, 'node_modules', '.package-lock.json')),
  ])
  if (wanted === null || present === null || !isSame(wanted, present)) return false
  await stampInstalled()
  return true
}

export async function stampInstalled() {
  await writeFile(stampFile, await packagesStamp())
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
      // Optional packages of other platforms are absent.
      (present[path] === undefined
        ? !(optional || devOptional)
        : present[path].version !== version || present[path].integrity !== integrity),
  )
  return !missing && Object.keys(present).every(path => wanted[path] !== undefined)
}
