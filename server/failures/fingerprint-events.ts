import { LRUCache } from 'lru-cache'
import type { NewEvent } from '../../shared/event.ts'
import type { Fingerprint } from '../grouping/fingerprint.ts'
import { type BuildInfo, buildInfoOf } from '../source-maps/build-info.ts'
import type { ServiceMaps } from '../source-maps/service-maps.ts'
import { formatFrame, type StackFrame, stackFrames } from '../stacks/stack.ts'
import { createTimeSlice } from '../time-slice.ts'

/**
 * Sets the fingerprints of events whose stacks can be mapped to source. Resolves to all events, or returns `null`
 * synchronously if none can be mapped.
 */
export type FingerprintEvents = (events: readonly NewEvent[]) => Promise<NewEvent[]> | null

const cacheBytes = 8e6
/** Maximum number of distinct stacks per call. A larger number indicates a loop, not separate failures. */
const maxStacks = 1000

/** Caches the mapped frames of each list of frames. Ignores messages, which may differ between occurrences. */
export function createFingerprintEvents(
  maps: Pick<ServiceMaps, 'map' | 'covers' | 'version'>,
  fingerprint: Fingerprint,
  startSlice = createTimeSlice,
): FingerprintEvents {
  const mappedFrames = new LRUCache<string, string, () => Promise<string>>({
    maxSize: cacheBytes,
    sizeCalculation: text => text.length * 2 + 1,
    fetchMethod: (_key, _stale, { context: load }) => load(),
    ignoreFetchAbort: true,
  })

  const map = async (frames: readonly StackFrame[], origin: BuildInfo): Promise<string> =>
    formatFrames(await Promise.all(frames.map(async frame => (await maps.map(frame, origin)).frame)))

  const fingerprintAll = async (events: readonly NewEvent[]): Promise<NewEvent[]> => {
    const version = maps.version()
    const fingerprinted: NewEvent[] = []
    const seen = new Set<string>()
    const slice = startSlice()
    for (const event of events) {
      if (slice.isUsedUp()) await slice.yieldToOthers()
      const thrown = mappableException(event, maps)
      if (thrown === null) {
        fingerprinted.push(event)
        continue
      }
      const { exception, stack, origin } = thrown
      const frames = stackFrames(stack)
      const unmapped = formatFrames(frames)
      const { service, release, debugIds } = origin
      const key = JSON.stringify([version, service, release, [...debugIds], unmapped])
      if (!seen.has(key) && seen.size >= maxStacks) {
        fingerprinted.push(event)
        continue
      }
      seen.add(key)
      const mapped = await mappedFrames.forceFetch(key, { context: () => map(frames, origin) })
      // V8's format loses frames from other runtimes, so a stack without mapped frames is used unchanged.
      const mappedStack = mapped === unmapped ? stack : mapped
      fingerprinted.push({ ...event, fingerprint: fingerprint({ ...exception, stack: mappedStack }, event) })
    }
    return fingerprinted
  }

  return events =>
    events.some(event => mappableException(event, maps) !== null) ? fingerprintAll(events) : null
}

function mappableException(event: NewEvent, maps: Pick<ServiceMaps, 'covers'>) {
  const { exception, fingerprint, source } = event
  // Sixpane's own events are mapped before they are logged.
  if (exception === null || exception.stack === null || fingerprint === null || source === 'own') return null
  const origin = buildInfoOf(event)
  return maps.covers(origin) ? { exception, stack: exception.stack, origin } : null
}

function formatFrames(frames: readonly StackFrame[]): string {
  return frames.map(formatFrame).join('\n')
}
