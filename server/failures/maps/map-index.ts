import type { Unmapped } from '../../../shared/content.ts'
import type { SourceMapHeader } from '../../store/source-maps.ts'
import { commonEnd, partsOf } from './file-path.ts'
import type { Origin } from './origin.ts'

/** Which map belongs to a file of a build, or why none does. */
export type MapIndex = {
  find(file: string, origin: Origin): { header: SourceMapHeader } | { unmapped: Unmapped }
  /** Whether there may be a map for any file of it; costs next to nothing. */
  covers(origin: Origin): boolean
}

type Entry = { header: SourceMapHeader; parts: readonly string[] }

const mostNamed = 5

export function createMapIndex(headers: readonly SourceMapHeader[]): MapIndex {
  const byDebugId = new Map<string, SourceMapHeader>()
  const byName = new Map<string, Entry[]>()
  const releases = new Set<string>()
  for (const header of headers) {
    releases.add(header.release)
    // The newest one counts.
    if (header.debugId !== null) byDebugId.set(header.debugId, header)
    const parts = partsOf(header.path)
    const name = parts.at(-1) ?? ''
    const entries = byName.get(name) ?? []
    entries.push({ header, parts })
    byName.set(name, entries)
  }

  return {
    find(file, { release, debugIds }) {
      const debugId = debugIds.get(file)
      const exact = debugId === undefined ? undefined : byDebugId.get(debugId)
      if (exact !== undefined) return { header: exact }
      const parts = partsOf(file)
      const named = byName.get(parts.at(-1) ?? '') ?? []
      const ofRelease = named.filter(({ header }) => header.release === release)
      // A map that says by its id that it belongs to another build would lead to wrong lines.
      const fitting = ofRelease.filter(
        ({ header }) => debugId === undefined || header.debugId === null || header.debugId === debugId,
      )
      const best = nearest(fitting, parts)
      const [first] = best
      if (first === undefined) return { unmapped: unmappedBy(named, ofRelease, release) }
      if (best.some(each => each.parts.join('/') !== first.parts.join('/'))) {
        const candidates = distinct(best.map(({ header }) => header.path))
        return { unmapped: { reason: 'ambiguous', release, candidates } }
      }
      return { header: best.at(-1)?.header ?? first.header }
    },
    covers: ({ release, debugIds }) =>
      (release !== null && releases.has(release)) || [...debugIds.values()].some(id => byDebugId.has(id)),
  }
}

/** Those that have most of the end of a path. */
function nearest(entries: readonly Entry[], parts: readonly string[]): Entry[] {
  const common = entries.map(entry => commonEnd(entry.parts, parts))
  const most = Math.max(...common, 1)
  return entries.filter((_, index) => common[index] === most)
}

function unmappedBy(named: readonly Entry[], ofRelease: readonly Entry[], release: string | null): Unmapped {
  if (ofRelease.length > 0) return { reason: 'other-build', release, candidates: [] }
  // The newest first: the one before the release of the event is the likeliest to be mistaken for it.
  const candidates = distinct(named.map(({ header }) => header.release).toReversed())
  if (release === null) return { reason: 'no-release', release, candidates }
  return { reason: candidates.length > 0 ? 'wrong-release' : 'missing', release, candidates }
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, mostNamed)
}
