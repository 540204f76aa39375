import { severities } from '../../../../shared/severity.ts'
import { createTimeSlice } from '../../../time-slice.ts'
import type { EventChunk, EventGroup } from '../../common/metrics/event-block.ts'
import { list, numberOrNull, oneOf, text, textOrNull } from '../../common/rows.ts'
import { type EventGroups, fieldsOf, toGroup } from './event-groups.ts'
import { pack, unpack } from './pack.ts'

/** Packs the counted chunks of a segment. The key of a chunk is the start time of its block. */
export function packCounts(
  groups: EventGroups,
  chunks: ReadonlyMap<number, EventChunk>,
): Promise<Uint8Array> {
  const all = [...chunks.values()]
  return pack(groups.list.map(fieldsOf), [
    Float64Array.from(chunks.keys()),
    Uint32Array.from(all, ({ group }) => group.length),
    concatenate(all.map(({ group }) => group)),
    concatenate(all.map(({ offsetUs }) => offsetUs)),
    concatenate(all.map(({ count }) => count ?? new Uint32Array())),
  ])
}

/**
 * @param groups the known groups, to which new groups are added
 * @throws TypeError or Error if the bytes are not the result of `packCounts`
 */
export async function unpackCounts(bytes: Uint8Array, groups: EventGroups): Promise<Map<number, EventChunk>> {
  const { header, arrays } = await unpack(bytes)
  const [starts, sizes, group, offsetUs, count] = arrays
  const slice = createTimeSlice()
  const indexes: number[] = []
  for (const value of list(header, value => value)) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    indexes.push(groups.indexOf(readGroup(value)))
  }
  const all = {
    group: new Uint32Array(group ?? []).map(index => indexes[index] ?? 0),
    offsetUs: new Uint32Array(offsetUs ?? []),
    count: new Uint32Array(count ?? []),
  }
  const lengths = new Uint32Array(sizes ?? [])
  const chunks = new Map<number, EventChunk>()
  let from = 0
  for (const [index, fromUs] of new Float64Array(starts ?? []).entries()) {
    const length = lengths[index] ?? 0
    chunks.set(fromUs, {
      groups: groups.list,
      group: all.group.slice(from, from + length),
      end: Uint32Array.from({ length }, (_, entry) => entry + 1),
      offsetUs: all.offsetUs.slice(from, from + length),
      bin: new Uint16Array(length),
      count: all.count.slice(from, from + length),
    })
    from += length
  }
  return chunks
}

/** @param value the result of `fieldsOf` */
function readGroup(value: unknown): EventGroup {
  const [severity, service, release, source, method, route, status, fingerprint, isRequest]: unknown[] = list(
    value,
    field => field,
  )
  return toGroup({
    severity: oneOf(severities, severity),
    service: text(service),
    release: textOrNull(release),
    source: text(source),
    method: textOrNull(method),
    route: textOrNull(route),
    status: numberOrNull(status),
    fingerprint: textOrNull(fingerprint),
    isRequest: isRequest === true,
  })
}

function concatenate(arrays: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(arrays.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const array of arrays) {
    all.set(array, offset)
    offset += array.length
  }
  return all
}
