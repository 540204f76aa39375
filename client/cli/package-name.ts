import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Returns the name in a folder's package.json; `null` if there is none. */
export async function packageName(folder: string): Promise<string | null> {
  try {
    const parsed: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    const hasName = typeof parsed === 'object' && parsed !== null && 'name' in parsed
    return hasName && typeof parsed.name === 'string' && parsed.name !== '' ? parsed.name : null
  } catch {
    // The file is missing or is not JSON.
    return null
  }
}

/** Returns the name in the nearest package.json that has one, searching from the folder up to the working folder. */
export async function nearestPackageName(folder: string, workingFolder: string): Promise<string | null> {
  const last = resolve(workingFolder)
  for (let at = resolve(folder); ; at = dirname(at)) {
    const name = await packageName(at)
    if (name !== null || at === last || at === dirname(at)) return name
  }
}
