import { DuckDBBlobValue } from '@duckdb/node-api'
import { createTimeSlice } from '../../../time-slice.ts'
import { type Sql, slow, sql } from '../../common/sql.ts'
import type { Segment } from '../engine/segments.ts'
import { eventsBetween, type Source } from '../sql/source.ts'
import { idColumns, textColumns } from '../sql/text.ts'
import type { Block } from './block.ts'
import type { BlockFilter } from './block-filter.ts'
import { longGrams, longTextLength, type Span, shortGrams, shortIdLength, wholeText } from './grams.ts'
import { createHashSet, type HashSet } from './hash-set.ts'

/**
 * The share of set bits in each filter, and the filter's maximum size. A search for a short word tests only one or two bits;
 * a search for an id tests more, so more of the bits may be set.
 */
const limits = {
  message: { share: 0.2, maxBytes: 128 * 1024 },
  exception: { share: 0.2, maxBytes: 128 * 1024 },
  context: { share: 0.2, maxBytes: 128 * 1024 },
  ids: { share: 0.25, maxBytes: 64 * 1024 },
  long: { share: 0.4, maxBytes: 256 * 1024 },
} as const

/** The character code of the line break that separates texts. */
const separator = 10
/** How many bytes to hash before checking the time. */
const bytesPerSpan = 32 * 1024

/** Builds the filter of a block. Reads one column at a time, so that other queries can run between reads. */
export async function buildFilter(
  read: Source['read'],
  segment: Segment,
  { afterId, lastId }: Block,
): Promise<BlockFilter> {
  const sets = {
    message: createHashSet(),
    exception: createHashSet(),
    context: createHashSet(),
    ids: createHashSet(),
    long: createHashSet(),
  }
  const events = eventsBetween(segment, afterId, lastId)
  const textsOf = async (column: Sql) => {
    const result = await read(distinctTexts(events, column))
    const value = result.value(0, 0)
    return value instanceof DuckDBBlobValue ? value.bytes : new Uint8Array(0)
  }
  const slice = createTimeSlice()
  const addGrams = async (texts: Uint8Array, short: HashSet | null) => {
    for (const span of spansOf(texts)) {
      if (slice.isUsedUp()) await slice.yieldToOthers()
      if (short !== null) shortGrams(span, short.add)
      longGrams(span, sets.long.add)
    }
  }
  for (const group of ['message', 'exception', 'context'] as const) {
    for (const column of textColumns[group]) await addGrams(await textsOf(column), sets[group])
  }
  for (const group of ['ids', 'hex'] as const) {
    for (const column of idColumns[group]) {
      const texts = await textsOf(column)
      await addGrams(texts, group === 'ids' ? sets.ids : null)
      for (const line of linesOf(texts)) {
        if (slice.isUsedUp()) await slice.yieldToOthers()
        if (line.to - line.from < shortIdLength) wholeText(line, sets.long.add)
      }
    }
  }
  return {
    afterId,
    lastId,
    message: await sets.message.toFilter(limits.message),
    exception: await sets.exception.toFilter(limits.exception),
    context: await sets.context.toFilter(limits.context),
    ids: await sets.ids.toFilter(limits.ids),
    long: await sets.long.toFilter(limits.long),
  }
}

/** The distinct values of a column, joined into one value, because the driver needs a microsecond per value. */
function distinctTexts(events: Sql, column: Sql): Sql {
  return slow(sql`SELECT encode(string_agg(text, chr(10))) AS texts
    FROM (SELECT DISTINCT lower(${column}) AS text FROM ${events})`)
}

/** Divides text into overlapping spans, so that each gram is within a span. */
function* spansOf(bytes: Uint8Array): Generator<Span> {
  for (let from = 0; from < bytes.length; from += bytesPerSpan) {
    yield { bytes, from, to: Math.min(from + bytesPerSpan + longTextLength - 1, bytes.length) }
  }
}

function* linesOf(bytes: Uint8Array): Generator<Span> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(separator, from)
    const to = end === -1 ? bytes.length : end
    yield { bytes, from, to }
    from = to + 1
  }
}
