import type { Attributes } from '../../../../shared/event.ts'
import { createTimeSlice } from '../../../time-slice.ts'
import { attributeText } from '../../common/attribute-text.ts'
import { number, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { toNumber } from '../../common/to-number.ts'
import type { Connection } from '../engine/connection.ts'
import { grainsUs } from '../sql/expressions.ts'
import type { GrainReader } from './grain-cache.ts'

/** Numbers in the attributes of events. `values` contains a list for each path, with `NaN` for a missing number. */
export type SampleGrain = { timesUs: Float64Array; values: Float64Array[] }

/** With more events in one read, a query is faster. */
const maxEvents = 16_000

/**
 * Reads numeric attributes of matching events. The attributes are parsed here, because ClickHouse takes longer to plan the
 * expressions for several attributes.
 * @param matching the events: `FROM … WHERE …`
 */
export function sampleGrains(
  { select }: Pick<Connection, 'select'>,
  matching: Sql,
  paths: readonly string[],
): GrainReader<SampleGrain> {
  const grainUs = grainsUs.route_durations
  const firstKeys = new Set(paths.map(firstPart))
  return {
    grainUs,
    maxGrains: 32,
    async read(first, end) {
      const rows = await select(sql`
        SELECT time_us, attributes ${matching} AND time_us >= ${first * grainUs} AND time_us < ${end * grainUs}
        LIMIT ${maxEvents + 1}`)
      if (rows.length > maxEvents) return null
      const slice = createTimeSlice()
      const grains = new Map<number, { timesUs: number[]; values: number[][] }>()
      for (const row of rows) {
        if (slice.isUsedUp()) await slice.yieldToOthers()
        const timeUs = number(row.time_us)
        const grain = Math.floor(timeUs / grainUs)
        const into = grains.get(grain) ?? { timesUs: [], values: paths.map(() => []) }
        grains.set(grain, into)
        const attributes: Attributes = JSON.parse(text(row.attributes))
        into.timesUs.push(timeUs)
        for (const [index, path] of paths.entries())
          into.values[index]?.push(finiteNumber(attributeText({ attributes }, path)))
      }
      return new Map(
        Array.from(grains, ([grain, { timesUs, values }]) => [
          grain,
          { timesUs: Float64Array.from(timesUs), values: values.map(each => Float64Array.from(each)) },
        ]),
      )
    },
    empty: () => ({ timesUs: new Float64Array(), values: paths.map(() => new Float64Array()) }),
    add: (value, events) =>
      events.some(({ attributeKeys }) => attributeKeys.some(key => firstKeys.has(firstPart(key))))
        ? null
        : value,
    bytesOf: ({ timesUs, values }) =>
      values.reduce((sum, each) => sum + each.byteLength, 200 + timesUs.byteLength),
  }
}

/** `NaN` for missing numbers, and for numbers that are too large. */
function finiteNumber(attribute: string | null): number {
  const value = toNumber(attribute ?? '')
  return value !== null && Number.isFinite(value) ? value : Number.NaN
}

/** A path or a key up to the first dot, because keys can contain dots. */
function firstPart(path: string): string {
  return path.split('.', 1)[0] ?? path
}
