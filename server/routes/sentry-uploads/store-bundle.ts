import { setTimeout } from 'node:timers/promises'
import { splitRelease } from '../../../shared/sentry-release.ts'
import type { Context } from '../../context.ts'
import { HttpError } from '../../http/http-error.ts'
import type { MemoryLease } from '../../http/memory-budget.ts'
import { SourceMapError } from '../../source-maps/source-map-error.ts'
import { type BundledMap, bundledMaps } from './artifact-bundle.ts'
import { BundleError } from './bundle-error.ts'
import { uploadLimits } from './upload-limits.ts'

/** The numbers of new and already stored maps. `problems` has a sentence for each map that was not stored. */
export type BundleResult = { added: number; known: number; problems: string[] }

const memoryRetryMs = 500

/**
 * Stores the source maps of a bundle one at a time, so only one is in memory. Maps that cannot be used are skipped, because
 * builds can contain empty maps.
 * @param release the release of the upload; `null` means the bundle's own release
 * @throws BundleError if the bundle is invalid; the reason of `signal` if it aborts
 */
export async function storeBundle(
  path: string,
  release: string | null,
  { sourceMaps, memory }: Pick<Context, 'sourceMaps' | 'memory'>,
  signal: AbortSignal,
): Promise<BundleResult> {
  const result: BundleResult = { added: 0, known: 0, problems: [] }
  for await (const map of bundledMaps(path)) {
    signal.throwIfAborted()
    const lease = memory.uploads.openLease()
    try {
      const target = targetOf(map, release ?? map.bundleRelease)
      if (map.sizeBytes <= uploadLimits.mapBytes) await reserveWhenFree(lease, map.sizeBytes, signal)
      const { isNew } = await sourceMaps.add({ ...target, json: await map.read() })
      if (isNew) result.added += 1
      else result.known += 1
    } catch (error) {
      if (!(error instanceof SourceMapError) && !(error instanceof BundleError)) throw error
      result.problems.push(`${map.path.slice(0, uploadLimits.textLength)}: ${error.message}`)
    } finally {
      lease.release()
    }
  }
  return result
}

/** A map without a release is found by its debug id, so the id takes the place of the release. */
function targetOf({ path, debugId }: BundledMap, release: string | null) {
  const name = (release === null ? null : splitRelease(release).version) ?? debugId
  if (name === null) throw new BundleError('It has neither a release nor a debug id')
  if (path === '' || Math.max(path.length, name.length) > uploadLimits.textLength)
    throw new BundleError(`Its path and release must have 1 to ${uploadLimits.textLength} characters`)
  return { release: name, path, debugId, service: null }
}

/** Waits until enough memory is free instead of failing, because bundles are stored in the background. */
async function reserveWhenFree(lease: MemoryLease, sizeBytes: number, signal: AbortSignal): Promise<void> {
  while (true) {
    try {
      return lease.reserve(sizeBytes)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      await setTimeout(memoryRetryMs, undefined, { signal })
    }
  }
}
