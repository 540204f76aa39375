// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packagesStamp } from './packages.mjs'
import { root } from './root.mjs'

const dist = join(root, 'dist')
/** Matches tests, which are not part of the build. */
const isTest = /\.test\.tsx?$|^e2e[\\/]/
const signatureFile = join(dist, '.signature')

/** Whether dist/ is a production build of the current sources. */
export async function isBuilt() {
  if (!existsSync(join(dist, 'manifest.json'))) return false
  const signature = await readFile(signatureFile, 'utf8').catch(() => '')
  return signature === (await sourcesSignature())
}

/** @param {string} signature of the sources before the build, so that files edited during the build are built again */
export async function markBuilt(signature) {
  await writeFile(signatureFile, signature)
}

/** Removes the mark, because dist/ is outdated or not a production build. */
export async function clearBuiltMark() {
  await rm(signatureFile, { force: true })
}

/**
 * Returns a hash of the packages, and of the path, size and modification time of each file in the build.
 * @param {string} [folder] the project's folder
 */
export async function sourcesSignature(folder = root) {
  const buildScripts = (await readdir(join(folder, 'scripts', 'build'))).filter(name => name.endsWith('.mjs'))
  const paths = [
    'package.json',
    join('scripts', 'build.mjs'),
    ...buildScripts.map(name => join('scripts', 'build', name)),
  ]
  for (const part of ['client', 'server', 'shared']) {
    for (const path of await readdir(join(folder, part), { recursive: true })) {
      if (/\.(?:tsx?|css)$/.test(path) && !isTest.test(path)) paths.push(join(part, path))
    }
  }
  const hash = createHash('sha256').update(await packagesStamp(folder))
  for (const path of paths.sort()) {
    const { size, mtimeMs } = statSync(join(folder, path))
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}
