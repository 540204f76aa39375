import type { Query } from '../../../../shared/query.ts'
import type { Window } from '../../../../shared/range.ts'
import { type TimesUs, timesOf } from '../../common/metrics/times.ts'
import { join, name, type Sql, sql } from '../../common/sql.ts'
import type { Segment } from '../engine/segments.ts'
import { type Block, blockEvents } from '../filters/block.ts'
import { type Candidates, candidatesIn, rangesOf } from '../filters/candidates.ts'
import { mayMatch, textGroupsOf } from '../filters/may-match.ts'
import { compile, type GroupsOf } from '../sql/compile.ts'
import { eventsOf, inWindow, isVisible, type Source } from '../sql/source.ts'
import { textGroups } from '../sql/text.ts'
import { segmentsOfFailures } from './segments-of-failures.ts'

export type Search = {
  /** The matching events of these segments, as one table. Without a window, includes all times. */
  matching(segments: readonly Segment[], window?: Window): Promise<Sql>
  /**
   * Divides the matching events of these segments into parts, in the order of the segments. Omits segments that cannot
   * contain the failures in the search. Segments in which few events may match are combined into one part.
   */
  inParts(segments: readonly Segment[], window: Window): Promise<MatchingPart[]>
}

/** The matching events of some segments. `tables` is empty if the filters exclude all events. */
export type MatchingPart = { segments: readonly Segment[]; tables: readonly MatchingTable[] }

/** A table of events, and the condition that selects the matching ones. */
export type MatchingTable = { table: Sql; condition: Sql }

type SegmentCandidates = Candidates & { segment: Segment }

/** The maximum number of possible matches in segments that are combined into one part. */
const maxJoinedEvents = 8 * blockEvents

/**
 * Prepares a search. First reads the fingerprints of the failures in the search, because the engine reads far fewer rows
 * with constants than with a subquery.
 */
export async function searchOf(
  source: Pick<
    Source,
    'services' | 'segments' | 'failureIndex' | 'searchFilters' | 'summary' | 'queryCached'
  >,
  query: Query,
): Promise<Search> {
  const { fingerprintsOf } = await source.failureIndex()
  const isPossible = mayMatch(query)
  const texts = [...new Set(textsIn(query))].map(words => ({ words, groupsIn: textGroupsOf(words) }))
  const usesFilters = isPossible !== null || texts.length > 0

  const candidatesOf = async (segment: Segment) => {
    const filters = usesFilters ? await source.searchFilters(segment) : []
    return { segment, ...candidatesIn(segment, filters, isPossible) }
  }
  const compileVisible = (groupsOf?: GroupsOf) => {
    const condition = compile(query, fingerprintsOf, groupsOf)
    return source.services === null ? condition : sql`(${condition}) AND ${isVisible(source)}`
  }
  /** The tables of events that may match, and the condition that selects the matching ones. */
  const partsOf = (candidates: readonly SegmentCandidates[], window: Window | undefined) => {
    const active = source.segments.all().at(-1)
    const tablesOf = (rangesIn: (each: Candidates) => readonly Block[]) =>
      candidates.flatMap(each =>
        rangesIn(each).map(range => ({
          table: sql`${name(each.segment.name)}.event`,
          limits: limitsOf(each.segment, range, window, each.segment === active),
        })),
      )
    const newest = ({ unfiltered }: Candidates) => (unfiltered === null ? [] : [unfiltered])
    if (texts.length === 0) {
      const tables = tablesOf(each => rangesOf([...each.ranges, ...newest(each)]))
      return [{ tables, condition: compileVisible() }]
    }
    // In blocks with filters, only the columns that may contain the words are searched.
    const blocks = candidates.flatMap(each => each.blocks)
    const groups = new Map(
      texts.map(({ words, groupsIn }) => [words, [...new Set(blocks.flatMap(groupsIn))]]),
    )
    return [
      {
        tables: tablesOf(each => each.ranges),
        condition: compileVisible(words => groups.get(words) ?? textGroups),
      },
      { tables: tablesOf(newest), condition: compileVisible() },
    ]
  }
  return {
    async matching(segments, window) {
      const parts = partsOf(await Promise.all(segments.map(candidatesOf)), window)
      const matching = parts.flatMap(({ tables, condition }) =>
        tables.length === 0
          ? []
          : [where(union(tables.map(({ table, limits }) => where(table, limits))), condition)],
      )
      return union(matching.length > 0 ? matching : [where(eventsOf(segments), sql`false`)])
    },
    async inParts(all, window) {
      const segments = usesFilters ? all : await segmentsOfFailures(source, query, fingerprintsOf, all)
      const candidates = await Promise.all(segments.map(candidatesOf))
      const groups = usesFilters ? joinSegments(candidates) : candidates.map(each => [each])
      return groups.map(group => ({
        segments: group.map(({ segment }) => segment),
        tables: partsOf(group, window).flatMap(({ tables, condition }) =>
          tables.map(({ table, limits }) => ({ table, condition: sql`${limits} AND ${condition}` })),
        ),
      }))
    },
  }
}

function textsIn(query: Query): string[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return [...textsIn(query.left), ...textsIn(query.right)]
    case 'not':
      return textsIn(query.query)
    case 'text':
      return [query.text]
    default:
      return []
  }
}

/**
 * Limits a table to a range of ids and a window. There is one table per range, so that the engine can skip other events.
 * Omits limits that exclude no event, because the engine would read ids or times to check them. Only the active segment may
 * get further events.
 */
function limitsOf(
  segment: Segment,
  { afterId, lastId }: Block,
  window: Window | undefined,
  isActive: boolean,
): Sql {
  const isLast = lastId === Number.POSITIVE_INFINITY || (!isActive && lastId >= segment.lastId)
  const isDuring = window === undefined || (!isActive && contains(timesOf(window), segment))
  const limits = [
    ...(afterId < segment.firstId ? [] : [sql`id > ${afterId}`]),
    ...(isLast ? [] : [sql`id <= ${lastId}`]),
    ...(isDuring ? [] : [inWindow(window)]),
  ]
  return limits.length === 0 ? sql`true` : join(limits, ' AND ')
}

/** Whether all events of a segment occurred in the window. */
function contains(window: TimesUs, { fromUs, toUs }: Segment): boolean {
  return window.fromUs <= fromUs && toUs < window.toUs
}

/** Joins consecutive segments in which few events may match. */
function joinSegments(all: readonly SegmentCandidates[]): SegmentCandidates[][] {
  const groups: SegmentCandidates[][] = []
  let joinedEvents = 0
  for (const candidates of all) {
    const last = groups.at(-1)
    joinedEvents += candidates.maxEvents
    if (last !== undefined && joinedEvents <= maxJoinedEvents) last.push(candidates)
    else {
      groups.push([candidates])
      joinedEvents = candidates.maxEvents
    }
  }
  return groups
}

function where(table: Sql, condition: Sql): Sql {
  return sql`SELECT * FROM ${table} WHERE ${condition}`
}

function union(tables: readonly Sql[]): Sql {
  return sql`(${join(tables, ' UNION ALL ')})`
}
