import { dayMs } from '../../../shared/duration-units.ts'
import type { LogEvent } from '../../../shared/event.ts'
import type { RetentionLimits } from '../../../shared/retention-limits.ts'
import { idAt, microsOf } from '../common/time.ts'
import type { EventStore } from '../event-store.ts'
import type { Memory, Run } from './memory.ts'

export function memoryRetention(memory: Memory, run: Run): Pick<EventStore, 'retain' | 'countExpired'> {
  return {
    retain: (limits, nowMs) =>
      run(undefined, () => {
        const deleted = surplus(memory, limits, nowMs)
        memory.events = memory.events.filter(event => !deleted.has(event))
        memory.requests = memory.requests.filter(({ acceptedMs }) => acceptedMs >= nowMs - dayMs)
        return deleted.size
      }),
    countExpired: (limits, nowMs, signal) => run(signal, () => surplus(memory, limits, nowMs).size),
  }
}

function surplus(memory: Memory, limits: RetentionLimits, nowMs: number): Set<LogEvent> {
  const oldest = { us: microsOf(nowMs - limits.maxAgeMs), id: idAt(nowMs - limits.maxAgeMs) }
  const old = memory.events.filter(({ timeMs, id }) => microsOf(timeMs) < oldest.us || id < oldest.id)
  const deleted = new Set(old)
  const left = memory.events.filter(event => !deleted.has(event))
  let bytes = sizeBytes(left)
  for (const event of left) {
    if (bytes <= limits.maxBytes) break
    bytes -= sizeBytes([event])
    deleted.add(event)
  }
  return deleted
}

/** The size of events as JSON, which this store reports as disk space. */
export function sizeBytes(events: readonly LogEvent[]): number {
  return events.reduce((sum, event) => sum + JSON.stringify(event).length, 0)
}
