import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'
import { cache } from './install.ts'

/** Remembers that checks have passed, until a file in one of the folders changes. */
export type Stamp = {
  /** Whether the checks have passed with the same sources, so that running them again is unnecessary. */
  isCurrent(): Promise<boolean>
  remember(): Promise<void>
}

/** @param name the name of the file in the cache */
export function createStamp(name: string, folders: readonly string[]): Stamp {
  const file = join(cache, name)
  return {
    isCurrent: async () => (await readFile(file, 'utf8').catch(() => '')) === (await hashOf(folders)),
    async remember() {
      await mkdir(cache, { recursive: true })
      await writeFile(file, await hashOf(folders))
    },
  }
}

async function hashOf(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(file))
  }
  return hash.digest('hex')
}
