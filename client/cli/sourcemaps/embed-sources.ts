import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, extname, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { SourceMap } from './read-map.ts'

const maxSourceBytes = 1024 * 1024
const maxTotalBytes = 16 * 1024 * 1024
/** Only files with these extensions are embedded, because a map can refer to any file on the machine. */
const sourceExtensions = new Set([
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.vue',
  '.svelte',
  '.astro',
])

/**
 * Embeds missing sources from the folders into a map, because Sixpane can show only embedded sources.
 * @returns the number of embedded sources
 */
export async function embedSources(
  part: SourceMap,
  mapFile: string,
  folders: readonly string[],
): Promise<number> {
  const contents = part.sources.map((_, index) => part.sourcesContent?.[index] ?? null)
  let remainingBytes = maxTotalBytes
  for (const [index, source] of part.sources.entries()) {
    if (source === null || contents[index] !== null) continue
    const text = await readSource(`${sourceRootOf(part)}${source}`, mapFile, folders, remainingBytes)
    if (text === null) continue
    remainingBytes -= text.length
    contents[index] = text
  }
  part.sourcesContent = contents
  return contents.filter(text => text !== null).length
}

function sourceRootOf({ sourceRoot }: SourceMap): string {
  const root = sourceRoot ?? ''
  return root === '' || root.endsWith('/') ? root : `${root}/`
}

async function readSource(
  source: string,
  mapFile: string,
  folders: readonly string[],
  remainingBytes: number,
): Promise<string | null> {
  try {
    const url = new URL(source, pathToFileURL(mapFile))
    if (url.protocol !== 'file:') return null
    // Resolves symbolic links, which must not point outside the folders.
    const file = await realpath(fileURLToPath(url))
    const isBelow = folders.some(folder => file.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`))
    if (!isBelow || !sourceExtensions.has(extname(file)) || dirname(file).split(sep).includes('node_modules'))
      return null
    const { size } = await stat(file)
    return size > Math.min(maxSourceBytes, remainingBytes) ? null : await readFile(file, 'utf8')
  } catch {
    return null
  }
}
