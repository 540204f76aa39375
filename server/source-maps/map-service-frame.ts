import type { PossiblePosition, Unmapped, UnmappedReason } from '../../shared/stack.ts'
import type { StackFrame } from '../stacks/stack.ts'
import type { SourceMapHeader } from '../store/source-map-store.ts'
import type { BuildInfo } from './build-info.ts'
import { chooseFrame } from './choose-frame.ts'
import { commonSuffixLength, pathParts } from './file-path.ts'
import { looksGenerated, mayBeGenerated } from './generated-file.ts'
import type { OpenMap } from './map-cache.ts'
import { type MappedFile, type MappedFrame, mapFrame } from './map-frame.ts'
import type { Candidates, MapIndex } from './map-index.ts'
import { isOriginal } from './source-map.ts'

/** A mapped or unchanged frame. `unmapped` is the reason why a frame that needs a map could not be mapped; else `null`. */
export type MappingResult = { frame: MappedFrame; unmapped: Unmapped | null }

/** Maps a frame with the maps that `index` finds for it. Reads all of them, because they may disagree. */
export async function mapServiceFrame(
  frame: StackFrame,
  origin: BuildInfo,
  index: Pick<MapIndex, 'find'>,
  openMap: OpenMap,
): Promise<MappingResult> {
  const unchanged = (unmapped: Unmapped | null) => ({ frame: { ...frame, content: null }, unmapped })
  const { file, line, column } = frame
  if (line === null || !mayBeGenerated(file)) return unchanged(null)
  const lookup = index.find(file, origin)
  if ('unmapped' in lookup) {
    return unchanged(looksGenerated(file, column) ? lookup.unmapped : null)
  }
  const result = await mapWithCandidates(frame, lookup, openMap)
  if (result === null) return unchanged(null)
  if ('frame' in result) return { frame: result.frame, unmapped: null }
  const { service, release } = origin
  const { reason, positions = [] } = result
  return unchanged({ reason, service, release, candidates: [], positions })
}

/** Returns the mapped frame or the reason why it cannot be mapped; `null` if the frame needs no map. */
async function mapWithCandidates(
  frame: StackFrame,
  { headers, isComplete }: Candidates,
  openMap: OpenMap,
): Promise<{ frame: MappedFrame } | { reason: UnmappedReason; positions?: PossiblePosition[] } | null> {
  const files = await Promise.all(headers.map(async header => ({ header, mapped: await openMap(header.id) })))
  const readable = files.flatMap(({ header, mapped }) => (mapped === null ? [] : [{ header, mapped }]))
  if (readable.length === 0) return { reason: 'broken' }
  for (const { header, mapped } of readable) if (await isSourceOf(frame, header.path, mapped)) return null
  if (frame.column === null) return { reason: 'no-column' }
  const results = await Promise.all(
    readable.map(async ({ header, mapped }) => ({ header, found: await mapFrame(frame, mapped) })),
  )
  const matches = results.flatMap(({ header, found }) => (found === null ? [] : [{ header, found }]))
  const areAllReadable = readable.length === files.length
  if (matches.length === 0) return { reason: areAllReadable ? 'not-in-map' : 'broken' }
  const frames = matches.map(({ found }) => found)
  // A map that could not be read may be the correct one.
  const chosen = isComplete && areAllReadable ? chooseFrame(frame.functionName, frames) : null
  return chosen === null
    ? { reason: 'ambiguous', positions: matches.map(({ header, found }) => possiblePosition(header, found)) }
    : { frame: chosen }
}

function possiblePosition(
  { service, path, uploadedMs }: SourceMapHeader,
  { file, line, column }: MappedFrame,
): PossiblePosition {
  return { file, line: line ?? 1, column: column ?? 1, service, path, uploadedMs }
}

/** Whether the runtime has already mapped the frame to one of the map's sources (`src/cart.js`, not `dist/cart.js`). */
async function isSourceOf(frame: StackFrame, path: string, { map }: MappedFile): Promise<boolean> {
  const { file, line, column } = frame
  const parts = pathParts(file)
  const name = parts.at(-1) ?? ''
  const withPath = commonSuffixLength(parts, pathParts(path))
  for (const [source, sourcePath] of map.sources.entries()) {
    if (!sourcePath?.includes(name)) continue
    const sourceParts = pathParts(sourcePath)
    const common = commonSuffixLength(parts, sourceParts)
    if (common > withPath) return true
    // The source of dist/src/cart.js also ends with src/cart.js. If only the file names are equal, the file may be a copy of
    // the bundle.
    const isEqual = common > 1 && common === withPath && common === sourceParts.length
    if (!isEqual || line === null || column === null || looksGenerated(file, column)) continue
    // The file may be a compiled file in another folder. If a runtime mapped the frame, the map lists that source position.
    if (await isOriginal(map, { source, line: line - 1, column: column - 1 })) return true
  }
  return false
}
