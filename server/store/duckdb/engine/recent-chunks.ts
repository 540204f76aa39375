import type { LogEvent } from '../../../../shared/event.ts'
import { binOf } from '../../common/duration-bins.ts'
import {
  createChunkWriter,
  createCountWriter,
  type EventChunk,
  type EventGroup,
} from '../../common/metrics/event-block.ts'
import { grainUs } from '../../common/metrics/times.ts'
import { microsOf } from '../../common/time.ts'
import { type EventGroups, toGroup } from './event-groups.ts'

/**
 * Like `readEventChunks` and `readCountedChunks`, but for events in memory.
 * @param starts the start times of the blocks whose events are needed
 */
export function recentChunks(
  events: readonly LogEvent[],
  starts: ReadonlySet<number>,
  groups: EventGroups,
  isCounted: boolean,
): Map<number, EventChunk> {
  const blocks = new Map<number, Map<number, LogEvent[]>>()
  for (const event of events) {
    const fromUs = startOf(event)
    if (!starts.has(fromUs)) continue
    const block = blocks.get(fromUs) ?? new Map<number, LogEvent[]>()
    blocks.set(fromUs, block)
    const group = groups.indexOf(groupOf(event))
    const ofGroup = block.get(group)
    if (ofGroup === undefined) block.set(group, [event])
    else ofGroup.push(event)
  }
  const toChunk = isCounted ? countedChunk : chunkOf
  return new Map(Array.from(blocks, ([fromUs, block]) => [fromUs, toChunk(fromUs, block, groups)]))
}

function startOf({ timeMs }: LogEvent): number {
  return Math.floor(microsOf(timeMs) / grainUs) * grainUs
}

/** The events of a block, by the index of their group. */
type RecentBlock = ReadonlyMap<number, readonly LogEvent[]>

function countedChunk(fromUs: number, block: RecentBlock, { list }: EventGroups): EventChunk {
  const writer = createCountWriter(list)
  for (const [group, events] of block) {
    for (const { timeMs } of events) writer.add(group, microsOf(timeMs) - fromUs, 1)
  }
  return writer.finish()
}

function chunkOf(fromUs: number, block: RecentBlock, { list }: EventGroups): EventChunk {
  const writer = createChunkWriter(list)
  for (const [group, events] of block) {
    const isRequest = list[group]?.isRequest === true
    for (const { timeMs, durationMs } of events) {
      writer.addEvent(microsOf(timeMs) - fromUs, isRequest && durationMs !== null ? binOf(durationMs) : 0)
    }
    writer.endGroup(group)
  }
  return writer.finish()
}

function groupOf(event: LogEvent): EventGroup {
  const { severity, service, release, source, method, route, status, fingerprint, durationMs } = event
  const isRequest = status !== null && durationMs !== null
  return toGroup({ severity, service, release, source, method, route, status, fingerprint, isRequest })
}
