import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A generated code file that has or references a source map. */
export type MappedFile = {
  /** The code file's path relative to the folder, with forward slashes. Paths in stack frames end with it. */
  path: string
  file: string
  /** The file to which the map's sources are relative: the map file, or the code file for an inline map. */
  mapFile: string
  /** The map's JSON; `null` if the file is missing. */
  json: string | null
  /** The debug id in the generated code (https://tc39.es/ecma426/#sec-debug-ids). */
  debugId: string | null
}

/** A generated code file without a map. */
export type UnmappedFile = { path: string; sizeBytes: number }

const anyComment = /\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g

/**
 * Finds the comment with the map's URL or the debug id: https://tc39.es/ecma426/#sec-linking-generated-code
 * Libraries contain text that looks like such a comment, so a comment counts only if its value contains no quotes and only
 * other comments follow it.
 * @returns the value, and the position of the comment, including the line break before it
 */
export function commentAtEnd(
  code: string,
  name: 'sourceMappingURL' | 'debugId',
): { value: string; from: number; to: number } | null {
  const starts = [`\n//# ${name}=`, `\n//@ ${name}=`]
  const from = Math.max(...starts.map(start => code.lastIndexOf(start)))
  if (from === -1) return null
  const valueFrom = code.indexOf('=', from) + 1
  const [value = ''] = /^[^\s"'`]*/.exec(code.slice(valueFrom)) ?? []
  const to = valueFrom + value.length
  const isAtEnd = code.slice(to).replace(anyComment, '').trim() === ''
  return isAtEnd ? { value, from, to } : null
}

/**
 * Finds code files that reference a source map in a comment, or have a `<file>.map` beside them.
 * @param onUnmapped is called for each code file without a map, except Next.js's own files, which never have one
 */
export async function* findMaps(
  folder: string,
  onUnmapped: (file: UnmappedFile) => void = () => {},
): AsyncGenerator<MappedFile> {
  const isNextFile = await nextFiles(folder)
  for (const file of await findCodeFiles(folder)) {
    const code = await readFile(file, 'utf8')
    const mapUrl = commentAtEnd(code, 'sourceMappingURL')?.value || null
    const adjacent = `${file}.map`
    const mapFile = mapUrl === null ? adjacent : mapFileOf(mapUrl, file)
    const path = relative(folder, file).replaceAll(sep, '/')
    if (mapUrl === null && !existsSync(adjacent)) {
      if (!isNextFile(path)) onUnmapped({ path, sizeBytes: Buffer.byteLength(code) })
      continue
    }
    yield {
      path,
      file,
      mapFile: mapFile ?? file,
      json:
        mapFile === null ? decodeDataUrl(mapUrl ?? '') : await readFile(mapFile, 'utf8').catch(() => null),
      debugId: commentAtEnd(code, 'debugId')?.value ?? null,
    }
  }
}

/** Lists the code files in a folder and its subfolders, except in node_modules. */
async function findCodeFiles(folder: string): Promise<string[]> {
  if (isNextOutput(folder)) {
    const folders = ['server', 'static'].map(name => join(folder, name)).filter(each => existsSync(each))
    return (await Promise.all(folders.map(findCodeFiles))).flat()
  }
  const files: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules') files.push(...(await findCodeFiles(path)))
    if (entry.isFile() && /\.[cm]?js$/.test(entry.name)) files.push(path)
  }
  return files.sort()
}

/** Whether `next build` wrote the folder. Such a folder also contains caches, development builds and copies of the build. */
export function isNextOutput(folder: string): boolean {
  return existsSync(join(folder, 'build-manifest.json'))
}

/** Returns a function that recognises Next.js's own code files, which never have a map. */
async function nextFiles(folder: string): Promise<(path: string) => boolean> {
  if (!isNextOutput(folder)) return () => false
  const polyfills = polyfillsIn(await readFile(join(folder, 'build-manifest.json'), 'utf8'))
  return path => /manifest\.js$/i.test(path) || polyfills.includes(path)
}

function polyfillsIn(manifest: string): unknown[] {
  try {
    const { polyfillFiles }: { polyfillFiles?: unknown } = Object(JSON.parse(manifest))
    return Array.isArray(polyfillFiles) ? polyfillFiles : []
  } catch {
    return []
  }
}

/** Resolves a `sourceMappingURL`; `null` for an inline map. */
function mapFileOf(mapUrl: string, file: string): string | null {
  if (mapUrl.startsWith('data:')) return null
  // Whatever the URL, the build usually writes the map next to the code file.
  if (/^(?:\w+:\/)?\//.test(mapUrl)) return `${file}.map`
  try {
    return fileURLToPath(new URL(mapUrl, pathToFileURL(file)))
  } catch {
    return resolve(dirname(file), mapUrl)
  }
}

/** Returns the content of a data URL. If its encoding is invalid, returns the encoded text, which is not valid JSON. */
function decodeDataUrl(url: string): string {
  const comma = url.indexOf(',')
  const data = url.slice(comma + 1)
  if (/;base64$/i.test(url.slice(0, comma))) return Buffer.from(data, 'base64').toString()
  try {
    return decodeURIComponent(data)
  } catch {
    return data
  }
}
