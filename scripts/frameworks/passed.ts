import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { cache } from '../install-package.mjs'
import { root } from '../prepare/root.mjs'

/** Remembers that checks have passed, until a file in one of the folders changes. */
export type Stamp = {
  /** Whether the checks have passed with the current sources, so that running them again is unnecessary. */
  isCurrent(): Promise<boolean>
  remember(): Promise<void>
}

/** @param name the name of the file in the cache */
export function createStamp(name: string, folders: readonly string[]): Stamp {
  const file = join(cache, name)
  const current = () => hashSources(root, folders)
  return {
    isCurrent: async () => (await readFile(file, 'utf8').catch(() => '')) === (await current()),
    async remember() {
      await mkdir(cache, { recursive: true })
      await writeFile(file, await current())
    },
  }
}

/**
 * Returns a hash of the files in these folders. It is the same in every clone, and does not depend on unit tests.
 * @param project the folder that contains `folders`
 */
export async function hashSources(project: string, folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const entries = await readdir(join(project, folder), { recursive: true, withFileTypes: true })
    const files = entries
      .filter(entry => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map(entry => join(entry.parentPath, entry.name))
    for (const file of files.sort()) hash.update(`${relative(project, file)}\n`).update(await readFile(file))
  }
  return hash.digest('hex')
}
