import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installNode as installNodeIn } from '../prepare/other-node.mjs'
import { root } from '../prepare/root.mjs'
import type { Application } from './application.ts'

/** Thrown if npm cannot install a package, for example because there is no network connection. */
export class InstallError extends Error {
  override name = 'InstallError'
}

/** The folder in which installed frameworks are cached between runs. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sixpane-frameworks')

const installedNodes = new Map<string, Promise<string>>()

/**
 * Installs a version of Node in the cache, once. Returns the folder of its executable.
 * @throws InstallError
 */
export function installNode(version: string): Promise<string> {
  const installing = installedNodes.get(version) ?? installNodeInCache(version)
  installedNodes.set(version, installing)
  return installing
}

async function installNodeInCache(version: string): Promise<string> {
  const folder = join(cache, `node-${version}`)
  await mkdir(folder, { recursive: true })
  return installNodeIn(version, folder).catch(cause => {
    throw new InstallError(`npm could not install Node ${version}`, { cause })
  })
}

/**
 * Installs the packages of a manifest in a folder of the cache, once for each manifest. Returns the folder.
 * @throws InstallError
 */
export async function installManifest(name: string, manifest: string): Promise<string> {
  const target = join(cache, name)
  const stamp = join(target, 'node_modules', 'installed.json')
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== manifest) {
    await rm(target, { recursive: true, force: true })
    await mkdir(target, { recursive: true })
    await writeFile(join(target, 'package.json'), manifest)
    const options = [
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--fetch-retry-maxtimeout=2000',
      '--fetch-retry-mintimeout=1000',
    ]
    await promisify(execFile)('npm', ['install', ...options], { cwd: target }).catch(cause => {
      throw new InstallError(`npm could not install ${name}`, { cause })
    })
    await writeFile(stamp, manifest)
  }
  return target
}

/**
 * Copies an application to the cache, and installs its framework and Sixpane's built clients there, as `npm install` would.
 * Returns the application's folder.
 * @throws InstallError
 */
export async function installApplication({ folder, version }: Application): Promise<string> {
  const sources = join(root, 'scripts/frameworks', folder)
  const target = await installManifest(
    version,
    await readFile(join(sources, version, 'package.json'), 'utf8'),
  )
  const versions = new RegExp(`^${join(sources, folder)}-[^/]+(/|$)`)
  await cp(sources, target, { recursive: true, filter: path => !versions.test(path) })
  await cp(join(sources, version), target, { recursive: true })
  await installSixpane(target)
  return target
}

/** Installs the built clients of Sixpane in a folder, as `npm install` would. */
export async function installSixpane(folder: string): Promise<void> {
  const sixpane = join(folder, 'node_modules', 'sixpane')
  await rm(sixpane, { recursive: true, force: true })
  for (const part of ['package.json', 'dist/sdk', 'dist/cli'])
    await cp(join(root, part), join(sixpane, part), { recursive: true })
}
