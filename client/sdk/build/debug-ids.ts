import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { commentAtEnd, findMaps } from '../../cli/sourcemaps/find-maps.ts'

/**
 * For each code file in the folder that has a map, adds a debug id to both the file and the map. The id is a hash of both, so
 * identical builds have identical ids. The code for the id is added at the end, so that no position in the map changes.
 * https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md
 */
export async function addDebugIds(folder: string): Promise<void> {
  for await (const { file, mapFile, json, debugId: existing } of findMaps(folder)) {
    const map = mapFile === file || json === null ? null : parseMap(json)
    if (map === null || existing !== null) continue
    const code = await readFile(file, 'utf8')
    const debugId = hashToUuid(code, JSON.stringify(map))
    await writeFile(mapFile, JSON.stringify({ ...map, debugId }))
    await replaceCode(file, withDebugId(code, debugId))
  }
}

/** Replaces a file atomically, because a failed write must leave working code. */
async function replaceCode(path: string, code: string): Promise<void> {
  const draft = `${path}.tmp`
  await writeFile(draft, code)
  await rename(draft, path)
}

/**
 * Adds code that registers the id under a stack trace that contains the file's URL, in syntax that every browser supports.
 * The comment with the map's URL stays last, because it is ignored if code follows:
 * https://tc39.es/ecma426/#sec-linking-generated-code
 */
export function withDebugId(code: string, debugId: string): string {
  const register = `;try{(globalThis._debugIds=globalThis._debugIds||{})[new Error().stack]="${debugId}"}catch(e){}`
  const at = commentAtEnd(code, 'sourceMappingURL')?.from
  const [body, comment] =
    at === undefined ? [code.trimEnd(), ''] : [code.slice(0, at), `${code.slice(at + 1).trimEnd()}\n`]
  return `${body}\n${register}\n//# debugId=${debugId}\n${comment}`
}

function parseMap(json: string): object | null {
  try {
    const map: unknown = JSON.parse(json)
    return typeof map === 'object' && map !== null ? map : null
  } catch {
    return null
  }
}

function hashToUuid(...parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  const hex = hash.digest('hex')
  // Version 8 is for ids with a custom format: https://www.rfc-editor.org/rfc/rfc9562#section-5.8
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
