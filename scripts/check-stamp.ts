import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { root } from './prepare/root.mjs'

/** In the repository, so that a fresh clone does not repeat checks of the same sources. */
const file = join(root, 'scripts', 'passed-checks.json')

/** Unit tests and their helpers, which are no part of the checked code. */
const isForUnitTests = (path: string) => /\.test\.tsx?$/.test(path) || path.split(sep).includes('testing')

/** Remembers that checks have passed, until a file in one of the folders changes. */
export type Stamp = {
  /** Whether the checks have passed with the current sources, so that running them again is unnecessary. */
  isCurrent(): Promise<boolean>
  /** Records in `scripts/passed-checks.json` that the checks have passed with the current sources. */
  remember(): Promise<void>
}

/** @param name the name of the checks in `scripts/passed-checks.json` */
export function createStamp(name: string, folders: readonly string[]): Stamp {
  const current = () => hashSources(root, folders)
  const read = async (): Promise<Record<string, unknown>> => JSON.parse(await readFile(file, 'utf8'))
  return {
    isCurrent: async () => (await read())[name] === (await current()),
    async remember() {
      const passed = { ...(await read()), [name]: await current() }
      await writeFile(file, `${JSON.stringify(passed, null, 2)}\n`)
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
      .filter(entry => entry.isFile())
      .map(entry => relative(project, join(entry.parentPath, entry.name)))
      .filter(path => !isForUnitTests(path))
    for (const path of files.sort()) hash.update(`${path}\n`).update(await readFile(join(project, path)))
  }
  return hash.digest('hex')
}
