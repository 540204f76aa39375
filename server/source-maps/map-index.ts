import type { Unmapped, UnmappedReason } from '../../shared/stack.ts'
import type { SourceMapHeader } from '../store/source-map-store.ts'
import { commonEnd, partsOf } from './file-path.ts'
import type { Origin } from './origin.ts'

/** Finds the maps that may belong to a file of a build, or says why there is none. */
export type MapIndex = {
  find(file: string, origin: Origin): Candidates | { unmapped: Unmapped }
  /** Whether there may be a map for any file of it; costs next to nothing. */
  covers(origin: Origin): boolean
}

/** `isComplete: false` where more maps fit than these, the newest ones. */
export type Candidates = { headers: readonly SourceMapHeader[]; isComplete: boolean }

type Entry = { header: SourceMapHeader; parts: readonly string[] }
type Release = { services: Set<string | null>; byName: Map<string, Entry[]> }

const mostNamed = 5
/** Each candidate is opened and read for each frame. */
const mostCandidates = 8

/** @param headers in the order of their upload */
export function createMapIndex(headers: readonly SourceMapHeader[]): MapIndex {
  const byDebugId = new Map<string, Entry[]>()
  const releases = new Map<string, Release>()
  const releasesByName = new Map<string, string[]>()
  for (const header of headers) {
    const { debugId, service } = header
    const parts = partsOf(header.path)
    const name = nameOf(parts)
    if (debugId !== null) append(byDebugId, debugId, { header, parts })
    const release = releases.get(header.release) ?? { services: new Set(), byName: new Map() }
    releases.set(header.release, release)
    release.services.add(service)
    append(release.byName, name, { header, parts })
    append(releasesByName, name, header.release)
  }

  const releasesOf = (name: string) => {
    // The newest first: the release before that of the event is the most likely mistake.
    return distinct((releasesByName.get(name) ?? []).toReversed())
  }

  return {
    find(file, { service, release, debugIds }) {
      const because = (reason: UnmappedReason, candidates: string[] = []) => ({
        unmapped: { reason, service, release, candidates, places: [] },
      })
      const debugId = debugIds.get(file)
      const exact = debugId === undefined ? [] : (byDebugId.get(debugId) ?? [])
      // A debug id names the build, whichever service the upload named.
      if (exact.length > 0) return candidates(preferred(exact, service) ?? exact)
      const parts = partsOf(file)
      const name = nameOf(parts)
      if (release === null) return because('no-release', releasesOf(name))
      const named = releases.get(release)?.byName.get(name)
      if (named === undefined) {
        const others = releasesOf(name)
        return because(others.length > 0 ? 'wrong-release' : 'missing', others)
      }
      const usable = preferred(named, service)
      if (usable === null) return because('wrong-service', servicesOf(named))
      // A map whose debug id is another belongs to another build: its lines would be wrong.
      const fitting = usable.filter(
        ({ header }) => debugId === undefined || header.debugId === null || header.debugId === debugId,
      )
      return fitting.length === 0 ? because('other-build') : candidates(nearest(fitting, parts))
    },
    covers({ service, release, debugIds }) {
      const services = release === null ? undefined : releases.get(release)?.services
      if (services !== undefined && (services.has(service) || services.has(null))) return true
      return debugIds.size > 0 && [...debugIds.values()].some(id => byDebugId.has(id))
    },
  }
}

/** The maps of the service; without any, those whose upload named no service; `null` if there are only others. */
function preferred(entries: readonly Entry[], service: string): Entry[] | null {
  const own = entries.filter(({ header }) => header.service === service)
  if (own.length > 0) return own
  const unnamed = entries.filter(({ header }) => header.service === null)
  return unnamed.length > 0 ? unnamed : null
}

function candidates(entries: readonly Entry[]): Candidates {
  const newest = entries.slice(-mostCandidates).toReversed()
  return { headers: newest.map(({ header }) => header), isComplete: entries.length <= mostCandidates }
}

/** The entries whose paths have the longest end in common with a path. */
function nearest(entries: readonly Entry[], parts: readonly string[]): Entry[] {
  const common = entries.map(entry => commonEnd(entry.parts, parts))
  const most = Math.max(...common)
  return entries.filter((_, index) => common[index] === most)
}

function nameOf(parts: readonly string[]): string {
  return parts.at(-1) ?? ''
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** The newest first. */
function servicesOf(entries: readonly Entry[]): string[] {
  return distinct(entries.flatMap(({ header }) => header.service ?? []).toReversed())
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, mostNamed)
}
