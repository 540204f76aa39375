import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parsePacked } from '../../shared/packed-json.ts'
import { root } from '../prepare/root.mjs'
import { readPageTree } from './page-tree.ts'

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sixpane-bench')

/**
 * Copies a package of this folder to the cache and installs its dependencies there, so that they are part of neither the
 * repository nor its lockfile. Returns its folder.
 */
export async function installReference(name: string): Promise<string> {
  const folder = join(cache, name)
  const manifest = await readFile(join(root, 'scripts/bench', name, 'package.json'), 'utf8')
  const stamp = join(folder, 'installed.json')
  const isInstalled = (await readFile(stamp, 'utf8').catch(() => '')) === manifest
  if (!isInstalled) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await cp(join(root, 'scripts/bench', name), folder, { recursive: true })
  if (!isInstalled) {
    const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', ['install', ...options], { cwd: folder })
    await writeFile(stamp, manifest)
  }
  return folder
}

/** Installs a framework and builds its application, which renders the same elements as a page of Sixpane. */
export async function buildReference(name: string, page: string): Promise<string> {
  const folder = await installReference(name)
  await cp(join(root, 'scripts/bench/view'), join(folder, 'view'), { recursive: true })
  const [, data = ''] = /id="page">(.*?)<\/script>/s.exec(page) ?? []
  const content = { content: parsePacked(data), tree: readPageTree(page) }
  await writeFile(join(folder, 'view/page.json'), JSON.stringify(content))
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  await promisify(execFile)('npm', ['run', 'build'], { cwd: folder, env })
  return folder
}
