import type { SourceMapHeader } from '../store/source-map-store.ts'
import type { Store } from '../store/store.ts'
import { CopyError } from './copy-error.ts'

type Maps = Pick<Store, 'sourceMaps'>

const partBytes = 1024 * 1024

/**
 * Copies the source maps that the target lacks. The content of a map never changes. Returns the number of copied maps.
 * @throws CopyError if the source lacks the content of a map
 */
export async function copySourceMaps(source: Maps, target: Maps, signal: AbortSignal): Promise<number> {
  const isAppliedInTarget = new Map(
    (await target.sourceMaps.list()).map(({ id, isApplied }) => [id, isApplied]),
  )
  const applied: string[] = []
  let copied = 0
  for (const header of await source.sourceMaps.list()) {
    signal.throwIfAborted()
    const { sizeBytes: _size, isApplied, ...map } = header
    if (!isAppliedInTarget.has(map.id)) {
      await target.sourceMaps.put(map, await contentOf(source, header), Number.MAX_SAFE_INTEGER)
      copied += 1
    }
    if (isApplied && isAppliedInTarget.get(map.id) !== true) applied.push(map.id)
  }
  if (applied.length > 0) await target.sourceMaps.markApplied(applied)
  return copied
}

async function contentOf({ sourceMaps }: Maps, { id, path, release, sizeBytes }: SourceMapHeader) {
  const parts: Uint8Array[] = []
  for (let start = 0; start < sizeBytes; start += partBytes) {
    const part = await sourceMaps.read(id, start, partBytes)
    if (part === null || part.length !== Math.min(partBytes, sizeBytes - start))
      throw new CopyError(`the source lacks the content of the source map ${path} of release ${release}`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
