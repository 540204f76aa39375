import type { Unmapped, UnmappedReason } from '../../shared/stack.ts'
import type { SourceMapHeader } from '../store/source-map-store.ts'
import type { BuildInfo } from './build-info.ts'
import { commonSuffixLength, pathParts } from './file-path.ts'

/** Finds the maps that may belong to a build's file, or the reason why no map matches. */
export type MapIndex = {
  /** Adds a map that was uploaded after all others. */
  add(header: SourceMapHeader): void
  find(file: string, origin: BuildInfo): Candidates | { unmapped: Unmapped }
  /** Checks quickly whether any file of the build may have a map. */
  covers(origin: BuildInfo): boolean
}

/** The newest matching maps. `isComplete` is `false` if older maps also match. */
export type Candidates = { headers: readonly SourceMapHeader[]; isComplete: boolean }

type Entry = { header: SourceMapHeader; parts: readonly string[] }
type Release = { services: Set<string | null>; byName: Map<string, Entry[]> }

const maxSuggestions = 5
/** Limits the work, because every candidate is read for every frame. */
const maxCandidates = 8

/** @param headers in upload order */
export function createMapIndex(headers: readonly SourceMapHeader[]): MapIndex {
  const byDebugId = new Map<string, Entry[]>()
  const releases = new Map<string, Release>()
  const releasesByName = new Map<string, string[]>()
  const add = (header: SourceMapHeader) => {
    const { debugId, service } = header
    const parts = pathParts(header.path)
    const name = nameOf(parts)
    if (debugId !== null) append(byDebugId, debugId, { header, parts })
    const release = releases.get(header.release) ?? { services: new Set(), byName: new Map() }
    releases.set(header.release, release)
    release.services.add(service)
    append(release.byName, name, { header, parts })
    append(releasesByName, name, header.release)
  }
  for (const header of headers) add(header)

  const releasesOf = (name: string) => {
    // Newest first, because the map was probably uploaded for the previous release by mistake.
    return distinct((releasesByName.get(name) ?? []).toReversed())
  }

  const hasMaps = (release: string, service: string) => {
    const services = releases.get(release)?.services
    return services !== undefined && (services.has(service) || services.has(null))
  }

  return {
    add,
    find(file, { service, release, debugIds }) {
      const unmapped = (reason: UnmappedReason, candidates: string[] = []) => ({
        unmapped: { reason, service, release, candidates, positions: [] },
      })
      const debugId = debugIds.get(file)
      const exact = debugId === undefined ? [] : (byDebugId.get(debugId) ?? [])
      // A debug id identifies the build, regardless of the service.
      if (exact.length > 0) return toCandidates(usableFor(exact, service) ?? exact)
      const parts = pathParts(file)
      const name = nameOf(parts)
      if (release === null) return unmapped('no-release', releasesOf(name))
      const sameName = releases.get(release)?.byName.get(name)
      if (sameName === undefined) {
        const others = releasesOf(name)
        if (others.length > 0) return unmapped('wrong-release', others)
        return unmapped(hasMaps(release, service) ? 'not-built' : 'missing')
      }
      const usable = usableFor(sameName, service)
      if (usable === null) return unmapped('wrong-service', servicesOf(sameName))
      // A map with another debug id is from another build, so its line numbers would be wrong.
      const compatible = usable.filter(
        ({ header }) => debugId === undefined || header.debugId === null || header.debugId === debugId,
      )
      return compatible.length === 0
        ? unmapped('other-build')
        : toCandidates(bestPathMatches(compatible, parts))
    },
    covers({ service, release, debugIds }) {
      if (release !== null && hasMaps(release, service)) return true
      return debugIds.size > 0 && [...debugIds.values()].some(id => byDebugId.has(id))
    },
  }
}

/** Returns the service's maps. If there are none, returns the maps without a service, or `null`. */
function usableFor(entries: readonly Entry[], service: string): Entry[] | null {
  const serviceEntries = entries.filter(({ header }) => header.service === service)
  if (serviceEntries.length > 0) return serviceEntries
  const withoutService = entries.filter(({ header }) => header.service === null)
  return withoutService.length > 0 ? withoutService : null
}

function toCandidates(entries: readonly Entry[]): Candidates {
  const newest = entries.slice(-maxCandidates).toReversed()
  return { headers: newest.map(({ header }) => header), isComplete: entries.length <= maxCandidates }
}

/** Returns the entries whose paths share the longest suffix with a path. */
function bestPathMatches(entries: readonly Entry[], parts: readonly string[]): Entry[] {
  const common = entries.map(entry => commonSuffixLength(entry.parts, parts))
  const longest = Math.max(...common)
  return entries.filter((_, index) => common[index] === longest)
}

function nameOf(parts: readonly string[]): string {
  return parts.at(-1) ?? ''
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Returns the distinct services, newest upload first. */
function servicesOf(entries: readonly Entry[]): string[] {
  return distinct(entries.flatMap(({ header }) => header.service ?? []).toReversed())
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, maxSuggestions)
}
