import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cache, InstallError, installManifest } from '../install-package.mjs'
import { installNode as installNodeIn } from '../prepare/other-node.mjs'
import { root } from '../prepare/root.mjs'
import type { Application } from './application.ts'

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
  const folder = join(cache, 'frameworks', `node-${version}`)
  await mkdir(folder, { recursive: true })
  return installNodeIn(version, folder).catch(cause => {
    throw new InstallError(`npm could not install Node ${version}`, { cause })
  })
}

/**
 * Copies an application to the cache, and installs its framework and Sixpane's built clients there, as `npm install` would.
 * Returns the application's folder.
 * @throws InstallError
 */
export async function installApplication({ folder, version }: Application): Promise<string> {
  const sources = join(root, 'scripts/frameworks', folder)
  const manifest = await readFile(join(sources, version, 'package.json'), 'utf8')
  // Versions with equal manifests get separate folders, because each version also writes its sources and build output there.
  const target = await installManifest(`frameworks/${version}`, manifest)
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
