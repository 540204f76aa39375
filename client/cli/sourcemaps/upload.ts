import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCode } from '../../../shared/error-code.ts'
import { embedSources } from './embed-sources.ts'
import { findMaps, isNextOutput, type MappedFile, type UnmappedFile } from './find-maps.ts'
import { BrokenMapError, readMap } from './read-map.ts'
import { type Destination, UploadError, uploadMap } from './upload-map.ts'

/** Maximum number of files without a map that a message lists. */
const maxNames = 3

export type UploadOptions = {
  folder: string
  release: string
  /** The service that runs the code; `null` for any service. */
  service: string | null
  /** `null` for a dry run. */
  destination: Destination | null
  print: (line: string) => void
  /** Prints an error. */
  printError: (line: string) => void
  /** The folder in which the command runs. Sources in this folder are also embedded. */
  workingFolder: string
  initialDelayMs?: number
  /**
   * Code files that earlier uploads of the same build have handled. Their maps may have been deleted since, so the upload does
   * not report that these files have no map. The upload adds its own files.
   */
  handledFiles?: Set<string>
}

/**
 * Uploads the source maps in a folder. Continues if a map is invalid or rejected.
 * @returns the exit code
 */
export async function uploadSourceMaps(options: UploadOptions): Promise<number> {
  const { folder, release, service, destination, print, printError, handledFiles = new Set() } = options
  const counts = { found: 0, sent: 0 }
  const unmapped: UnmappedFile[] = []
  try {
    const folders = [await realpath(folder), await realpath(options.workingFolder)]
    const onUnmapped = (found: UnmappedFile) => {
      const file = resolve(folder, found.path)
      if (!handledFiles.has(file)) unmapped.push(found)
      handledFiles.add(file)
    }
    for await (const mapped of findMaps(resolve(folder), onUnmapped)) {
      handledFiles.add(mapped.file)
      if (mapped.json === null) {
        printError(`${mapped.path}: source map not found (${mapped.mapFile})`)
        continue
      }
      counts.found += 1
      const problem = await send(mapped, mapped.json, folders, options)
      if (problem === null) counts.sent += 1
      else printError(`${mapped.path}: ${problem}`)
    }
  } catch (error) {
    if (error instanceof UploadError) printError(error.message)
    else if (isMissing(error)) printError(`folder not found: ${folder}`)
    else throw error
    return 1
  }
  if (unmapped.length > 0) printError(describeUnmapped(unmapped, counts.found, isNextOutput(resolve(folder))))
  if (counts.found === 0) {
    printError(`no source maps in ${folder}`)
    return 1
  }
  const summary = `${counts.sent} of ${counts.found} source maps of release ${release} for ${service === null ? 'any service' : `service ${service}`}`
  print(destination === null ? `${summary} would be sent` : `${summary} sent to ${destination.url}`)
  return counts.sent === counts.found ? 0 : 1
}

/** Says how many code files have no map, names the largest, and explains how to enable source maps. */
function describeUnmapped(unmapped: readonly UnmappedFile[], mappedCount: number, isNext: boolean): string {
  const largest = unmapped.toSorted((a, b) => b.sizeBytes - a.sizeBytes).slice(0, maxNames)
  const more = unmapped.length > maxNames ? ', …' : ''
  const names = `${largest.map(({ path }) => path).join(', ')}${more}`
  const advice = isNext
    ? 'wrap the configuration in next.config with withSixpane from sixpane/next/config, or set productionBrowserSourceMaps and experimental.serverSourceMaps'
    : 'enable source maps in your build (you do not need to publish them)'
  const all = unmapped.length + mappedCount
  return `no source map for ${unmapped.length} of ${all} code files, so frames in them stay minified (${names}): ${advice}`
}

/** @returns the reason for a failure, or `null` */
async function send(
  { path, mapFile, debugId: codeDebugId }: MappedFile,
  json: string,
  folders: readonly string[],
  { release, service, destination, print, initialDelayMs }: UploadOptions,
): Promise<string | null> {
  try {
    const { map, parts, debugId: mapDebugId } = readMap(json)
    let embedded = 0
    for (const part of parts) embedded += await embedSources(part, mapFile, folders)
    const sources = parts.reduce((count, part) => count + part.sources.length, 0)
    const debugId = codeDebugId ?? mapDebugId
    if (destination !== null)
      await uploadMap(
        destination,
        { release, service, path, debugId, json: JSON.stringify(map) },
        initialDelayMs,
      )
    print(
      `${path}: ${embedded} of ${sources} sources embedded${debugId === null ? '' : `, debug id ${debugId}`}`,
    )
    return null
  } catch (error) {
    if (error instanceof BrokenMapError) return `invalid source map: ${error.message}`
    if (error instanceof UploadError && !error.isFatal) return error.message
    throw error
  }
}

function isMissing(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
