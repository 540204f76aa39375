import { createTimeSlice } from '../../../time-slice.ts'
import { binCount } from '../../common/duration-bins.ts'
import {
  type CellKey,
  createCellWriter,
  nameOf,
  type RequestCells,
} from '../../common/metrics/request-cells.ts'
import { number, type Row, text, textOrNull } from '../../common/rows.ts'
import { join, name, sql } from '../../common/sql.ts'
import type { Connection } from '../engine/connection.ts'
import { visitBins } from '../sql/duration-band.ts'
import { grainNumber, grainsUs, preferProjection, requestBins } from '../sql/expressions.ts'
import type { GrainReader } from './grain-cache.ts'

/** With more groups, for example because routes contain ids, a query is faster. */
const maxGroups = 20_000
/** The approximate memory usage of the objects that represent the cells of a grain. */
const cellsBytes = 1000

/** How to group requests. `projection` is the projection that contains the groups. Without one, events are read. */
export type RequestGrouping = {
  keys: readonly ('service' | 'method' | 'route')[]
  grainUs: number
  maxGrains: number
  projection: 'service_activity' | 'route_durations' | null
}

const halfHourUs = grainsUs.service_activity
const threeHoursUs = grainsUs.route_durations
const dayUs = 8 * threeHoursUs

/**
 * Requests by service and by route, in grains of several lengths, longest first. A week of half-hours by route would have a
 * million counts.
 */
export const byService: readonly RequestGrouping[] = [
  { keys: ['service'], grainUs: threeHoursUs, maxGrains: 112, projection: 'service_activity' },
  { keys: ['service'], grainUs: halfHourUs, maxGrains: 112, projection: 'service_activity' },
]
const routeKeys = ['service', 'method', 'route'] as const
export const byRoute: readonly RequestGrouping[] = [
  { keys: routeKeys, grainUs: dayUs, maxGrains: 14, projection: 'route_durations' },
  { keys: routeKeys, grainUs: threeHoursUs, maxGrains: 14, projection: 'route_durations' },
  { keys: routeKeys, grainUs: halfHourUs, maxGrains: 6, projection: null },
]

/** Counts requests by the bins of their durations. */
export function requestGrains(
  { select }: Pick<Connection, 'select'>,
  { keys, grainUs, maxGrains, projection }: RequestGrouping,
): GrainReader<RequestCells> {
  const intern = createInterning()
  const columns = join(keys.map(name), ', ')
  const readUs = projection === null ? grainUs : grainsUs[projection]
  const part = grainNumber(readUs)
  return {
    grainUs,
    maxGrains,
    async read(first, end) {
      const during =
        projection === null
          ? sql`time_us >= ${first * grainUs} AND time_us < ${end * grainUs}`
          : sql`${part} >= ${(first * grainUs) / readUs} AND ${part} < ${(end * grainUs) / readUs}`
      const rows = await select(sql`
        SELECT grain, ${columns},
          sum(in_band) AS requests, sum(failed_in_band) AS errors, groupArray((duration_band, bins_in_band)) AS bands
        FROM (
          SELECT intDiv(${part}, ${grainUs / readUs}) AS grain, ${columns}, duration_band,
            count() AS in_band, countIf(status >= 500) AS failed_in_band, sumForEach(${requestBins}) AS bins_in_band
          FROM event WHERE ${during} AND duration_band IS NOT NULL
          GROUP BY grain, ${columns}, duration_band ${projection === null ? sql`` : preferProjection(projection)}
        ) GROUP BY grain, ${columns} ORDER BY grain LIMIT ${maxGroups + 1}`)
      return rows.length > maxGroups ? null : cellsByGrain(rows, grainUs, intern)
    },
    empty: () => createCellWriter().finish(),
    add: () => null,
    bytesOf: ({ keys, key, fromUs, errors, requests, end, bins, counts }) =>
      [key, fromUs, errors, requests, end, bins, counts].reduce(
        (sum, { byteLength }) => sum + byteLength,
        cellsBytes + 8 * keys.length,
      ),
  }
}

/** Returns a function that returns the same object for equal keys, because names of keys are cached by object. */
function createInterning(): (key: CellKey) => CellKey {
  const keys = new Map<string, CellKey>()
  return key => {
    if (keys.size > maxGroups) keys.clear()
    const keyName = nameOf(key)
    const existing = keys.get(keyName)
    if (existing === undefined) keys.set(keyName, key)
    return existing ?? key
  }
}

async function cellsByGrain(
  rows: readonly Row[],
  grainUs: number,
  intern: (key: CellKey) => CellKey,
): Promise<Map<number, RequestCells>> {
  const slice = createTimeSlice()
  const counts = new Uint32Array(binCount)
  const writers = new Map<number, ReturnType<typeof createCellWriter>>()
  for (const row of rows) {
    if (slice.isUsedUp()) await slice.yieldToOthers()
    const grain = number(row.grain)
    const writer = writers.get(grain) ?? createCellWriter()
    writers.set(grain, writer)
    const usedBins: number[] = []
    visitBins(row.bands, (bin, count) => {
      if (counts[bin] === 0) usedBins.push(bin)
      counts[bin] = (counts[bin] ?? 0) + count
    })
    const key = intern({
      service: text(row.service),
      method: textOrNull(row.method ?? null),
      route: textOrNull(row.route ?? null),
    })
    const cell = { key, fromUs: grain * grainUs, requests: number(row.requests), errors: number(row.errors) }
    writer.write(cell, counts, usedBins)
  }
  return new Map(Array.from(writers, ([grain, writer]) => [grain, writer.finish()]))
}
