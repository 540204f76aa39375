import { idsOfHour } from '../store/common/accepted-hour.ts'
import type { Store } from '../store/store.ts'
import { compareHour, type Differences } from './compare-hour.ts'
import { createDigest, type Digest, isEqual } from './digest.ts'
import { digestOf, readBatches } from './read-hour.ts'

export type EventCopy = {
  hours: number
  events: number
  /** The number of hours whose events were already the same in both stores. */
  equalHours: number
  /** The number of events that were stored in the target. */
  stored: number
  /** The number of events in the target whose fingerprint changed. */
  regrouped: number
  onlyInTarget: number
  /** Hours in which the target lacks an event of the source or has a different version of it. */
  differences: (Differences & { startMs: number })[]
}

export type Progress = {
  /** Called when the number of events in the source is known. */
  start(events: number): void
  /** Called after events of an hour have been compared or copied. */
  advance(events: number, hourMs: number): void
}

type Reads = Pick<Store, 'acceptedHours' | 'pageEnds' | 'eventsInIds'>

/**
 * Copies the events that the target lacks, one hour at a time. An event belongs to the hour in which it was accepted. Hours
 * whose events are already the same in both stores are only read. The copy can be aborted, or its process killed, at any
 * time. The next call then continues the copy.
 */
export async function copyEvents(
  source: Reads,
  target: Reads & Pick<Store, 'importEvents'>,
  progress: Progress,
  signal: AbortSignal,
): Promise<EventCopy> {
  const hours = await source.acceptedHours(signal)
  const inTarget = new Map((await target.acceptedHours(signal)).map(hour => [hour.startMs, hour.events]))
  const result: EventCopy = {
    hours: hours.length,
    events: hours.reduce((sum, { events }) => sum + events, 0),
    equalHours: 0,
    stored: 0,
    regrouped: 0,
    onlyInTarget: 0,
    differences: [],
  }
  progress.start(result.events)

  const copyHour = async (startMs: number): Promise<Digest> => {
    const digest = createDigest()
    for await (const batch of readBatches(source, idsOfHour(startMs), signal)) {
      signal.throwIfAborted()
      const { stored, regrouped } = await target.importEvents(batch)
      result.stored += stored
      result.regrouped += regrouped
      for (const event of batch) digest.add(event)
      progress.advance(batch.length, startMs)
    }
    return digest.result()
  }

  for (const { startMs, events } of hours) {
    const ids = idsOfHour(startMs)
    if (inTarget.get(startMs) === events) {
      const [ofSource, ofTarget] = await Promise.all(
        [source, target].map(store => digestOf(store, ids, signal)),
      )
      if (ofSource !== undefined && ofTarget !== undefined && isEqual(ofSource, ofTarget)) {
        result.equalHours += 1
        progress.advance(events, startMs)
        continue
      }
    }
    const copied = await copyHour(startMs)
    if (isEqual(copied, await digestOf(target, ids, signal))) continue
    // The target may have events that the source lacks.
    const differences = await compareHour(source, target, ids, signal)
    result.onlyInTarget += differences.onlyInTarget
    if (differences.missing + differences.different > 0) result.differences.push({ startMs, ...differences })
  }

  const copiedHours = new Set(hours.map(({ startMs }) => startMs))
  for (const [startMs, events] of inTarget) if (!copiedHours.has(startMs)) result.onlyInTarget += events
  return result
}
