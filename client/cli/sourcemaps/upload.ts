import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { embedSources } from './embed-sources.ts'
import { findMaps, type MappedFile } from './find-maps.ts'
import { BrokenMapError, readMap } from './read-map.ts'
import { type Destination, UploadError, uploadMap } from './upload-map.ts'

export type UploadOptions = {
  folder: string
  release: string
  /** The service that runs the code; `null` for any. */
  service: string | null
  /** `null`: only list what would be sent. */
  destination: Destination | null
  say: (line: string) => void
  /** Tells what went wrong. */
  tell: (line: string) => void
  /** Where sources may lie besides the folder: the project that the command runs in. */
  workingFolder: string
  waitMs?: number
}

/**
 * Sends the source maps of a folder. One that is broken or not taken stops no other.
 * @returns the exit code
 */
export async function uploadSourceMaps(options: UploadOptions): Promise<number> {
  const { folder, release, service, destination, say, tell } = options
  const counts = { found: 0, sent: 0 }
  try {
    const folders = [await realpath(folder), await realpath(options.workingFolder)]
    for await (const mapped of findMaps(resolve(folder))) {
      if (mapped.json === null) {
        tell(`${mapped.path}: its map is not there (${mapped.mapFile})`)
        continue
      }
      counts.found += 1
      const problem = await send(mapped, mapped.json, folders, options)
      if (problem === null) counts.sent += 1
      else tell(`${mapped.path}: ${problem}`)
    }
  } catch (error) {
    if (error instanceof UploadError) tell(error.message)
    else if (isMissing(error)) tell(`there is no folder ${folder}`)
    else throw error
    return 1
  }
  if (counts.found === 0) {
    tell(`there are no source maps in ${folder}: turn them on in your build, they need not be published`)
    return 1
  }
  const what = `${counts.sent} of ${counts.found} source maps of release ${release} for ${service === null ? 'any service' : `service ${service}`}`
  say(destination === null ? `${what} would be sent` : `${what} sent to ${destination.url}`)
  return counts.sent === counts.found ? 0 : 1
}

/** @returns why it could not be sent */
async function send(
  { path, mapFile, debugId: ofCode }: MappedFile,
  json: string,
  folders: readonly string[],
  { release, service, destination, say, waitMs }: UploadOptions,
): Promise<string | null> {
  try {
    const { map, parts, debugId: ofMap } = readMap(json)
    let shown = 0
    for (const part of parts) shown += await embedSources(part, mapFile, folders)
    const sources = parts.reduce((count, part) => count + part.sources.length, 0)
    const debugId = ofCode ?? ofMap
    if (destination !== null)
      await uploadMap(destination, { release, service, path, debugId, json: JSON.stringify(map) }, waitMs)
    say(
      `${path}: ${shown} of ${sources} sources with their text${debugId === null ? '' : `, debug id ${debugId}`}`,
    )
    return null
  } catch (error) {
    if (error instanceof BrokenMapError) return `the map is broken: ${error.message}`
    if (error instanceof UploadError && !error.isFatal) return error.message
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
