import { createTimeSlice } from '../../../time-slice.ts'
import type { CellKey, RequestCells } from '../../common/metrics/request-cells.ts'
import { list, oneOf, text, textOrNull } from '../../common/rows.ts'
import { pack, unpack } from './pack.ts'
import type { SummaryCells } from './request-summary.ts'

/** The requests of a whole segment, and the smallest groups in which they were counted. */
type SegmentRequests = { readonly grouping: 'route' | 'service'; readonly cells: readonly SummaryCells[] }

const groupings = ['route', 'service'] as const
const arraysPerCells = 7

/** Packs the requests of a segment, which must all have been counted in one pass. */
export function packRequests({ grouping, cells }: SegmentRequests): Promise<Uint8Array> {
  const all = cells
    .flatMap(({ byService, byRoute, byDayPart }) => [byService, byRoute, byDayPart])
    .filter(each => each !== null)
  const keys = all.map(({ keys }) => keys.map(({ service, method, route }) => [service, method, route]))
  return pack(
    [grouping, keys],
    all.flatMap(({ key, fromUs, errors, requests, end, bins, counts }) => [
      key,
      fromUs,
      errors,
      requests,
      end,
      bins,
      counts,
    ]),
  )
}

/** @throws TypeError or Error if the bytes are not the result of `packRequests` */
export async function unpackRequests(bytes: Uint8Array): Promise<SegmentRequests> {
  const { header, arrays } = await unpack(bytes)
  const [grouping, keys]: unknown[] = list(header, value => value)
  const all: RequestCells[] = []
  for (const values of list(keys, value => value))
    all.push(toCells(await readKeys(values), arrays.slice(all.length * arraysPerCells)))
  return { grouping: oneOf(groupings, grouping), cells: [toSummary(all)] }
}

async function readKeys(values: unknown): Promise<CellKey[]> {
  const slice = createTimeSlice()
  const keys: CellKey[] = []
  for (const value of list(values, value => value)) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    keys.push(toKey(value))
  }
  return keys
}

function toKey(value: unknown): CellKey {
  const [service, method, route]: unknown[] = list(value, part => part)
  return { service: text(service), method: textOrNull(method), route: textOrNull(route) }
}

function toCells(keys: CellKey[], arrays: readonly ArrayBuffer[]): RequestCells {
  const next = arrays.values()
  const buffer = () => {
    const { value, done } = next.next()
    if (done) throw new TypeError('The store contains an incomplete summary')
    return value
  }
  return {
    keys,
    key: new Uint32Array(buffer()),
    fromUs: new Float64Array(buffer()),
    errors: new Uint32Array(buffer()),
    requests: new Uint32Array(buffer()),
    end: new Uint32Array(buffer()),
    bins: new Uint16Array(buffer()),
    counts: new Uint32Array(buffer()),
  }
}

function toSummary([byService, byRoute, byDayPart]: readonly RequestCells[]): SummaryCells {
  if (byService === undefined) throw new TypeError('The store contains an incomplete summary')
  return { byService, byRoute: byRoute ?? null, byDayPart: byDayPart ?? null }
}
