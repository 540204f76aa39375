import { LRUCache } from 'lru-cache'
import type { NewEvent } from '../../shared/event.ts'
import type { Fingerprint } from '../grouping/fingerprint.ts'
import { type BuildInfo, buildInfoOf } from '../source-maps/build-info.ts'
import type { ServiceMaps } from '../source-maps/service-maps.ts'
import { formatFrame, stackFrames } from '../stacks/stack.ts'
import { createTimeSlice } from '../time-slice.ts'

/**
 * Sets the fingerprints of events whose stacks can be mapped to source. Resolves to all events, or returns `null`
 * synchronously if none can be mapped.
 */
export type FingerprintEvents = (events: readonly NewEvent[]) => Promise<NewEvent[]> | null

const cacheBytes = 8e6
/** Maximum number of distinct stacks per call. A larger number indicates a loop, not separate failures. */
const maxStacks = 1000

/** Caches the mapped frames of each stack. */
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

  const map = async (stack: string, origin: BuildInfo): Promise<string> => {
    const frames = stackFrames(stack)
    const mapped = await Promise.all(frames.map(async frame => (await maps.map(frame, origin)).frame))
    return mapped.map(formatFrame).join('\n')
  }

  const fingerprintAll = async (events: readonly NewEvent[]): Promise<NewEvent[]> => {
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
      const key = keyOf(stack, exception.message, origin, maps.version())
      if (!seen.has(key) && seen.size >= maxStacks) {
        fingerprinted.push(event)
        continue
      }
      seen.add(key)
      const frames = await mappedFrames.forceFetch(key, { context: () => map(stack, origin) })
      fingerprinted.push({ ...event, fingerprint: fingerprint({ ...exception, stack: frames }, event) })
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

/** Returns a cache key without the message, because messages may differ between occurrences with the same frames. */
function keyOf(
  stack: string,
  message: string,
  { service, release, debugIds }: BuildInfo,
  version: number,
): string {
  const at = stack.indexOf(message)
  const frames = at < 0 ? stack : stack.slice(at + message.length)
  return JSON.stringify([version, service, release, [...debugIds], frames])
}
