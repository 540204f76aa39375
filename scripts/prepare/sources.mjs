// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packagesStamp } from './packages.mjs'
import { root } from './root.mjs'

const dist = join(root, 'dist')
const signatureFile = join(dist, '.signature')

/** Whether dist/ was built from the sources as they are now. */
export async function builtFits() {
  if (!existsSync(join(dist, 'manifest.json'))) return false
  const signature = await readFile(signatureFile, 'utf8').catch(() => '')
  return signature === (await sourcesSignature())
}

export async function stampBuilt() {
  await writeFile(signatureFile, await sourcesSignature())
}

/** Says that dist/ is not (or no longer) a whole production build of the sources. */
export async function unstampBuilt() {
  await rm(signatureFile, { force: true })
}

/** Path, size and time of change of every file that the build reads, and the packages that it bundles. */
async function sourcesSignature() {
  const paths = [join(root, 'package.json'), join(root, 'scripts', 'build.mjs')]
  for (const folder of ['client', 'server', 'shared']) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) paths.push(join(entry.parentPath, entry.name))
    }
  }
  const hash = createHash('sha256').update(await packagesStamp())
  for (const path of paths.sort()) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}
