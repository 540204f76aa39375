import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'
import { cache } from './install.ts'

/** The folders that the checks depend on. */
const folders = [
  ...['client/cli', 'client/sdk', 'scripts/frameworks', 'shared'],
  ...['server/failures', 'server/grouping', 'server/ingest', 'server/source-maps', 'server/stacks'],
]
const stamp = join(cache, 'passed')

/** Whether the checks have passed with the same sources, so that running them again is unnecessary. */
export async function haveAlreadyPassed(): Promise<boolean> {
  return (await readFile(stamp, 'utf8').catch(() => '')) === (await hashOfSources())
}

export async function rememberPassed(): Promise<void> {
  await mkdir(cache, { recursive: true })
  await writeFile(stamp, await hashOfSources())
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(file))
  }
  return hash.digest('hex')
}
