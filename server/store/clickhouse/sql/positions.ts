import { join, type Sql, sql } from '../../common/sql.ts'
import { acceptedMs, idAt } from '../../common/time.ts'
import { idsPerReplica, maxReplicas } from '../engine/ids.ts'

/**
 * An event that is older than a position by at least this duration is before the position if the position does not list the
 * event's replica. The duration exceeds the time that a replica's first insert takes.
 */
export const settledMs = 600_000

/**
 * A position lists the id of the newest event of each replica. An event of an unlisted replica is before the position if the
 * event is at least `settledMs` older than the greatest of these ids.
 */
export type PositionIds = readonly number[]

const idsPerMs = maxReplicas * idsPerReplica

/** The number of the replica that stored an event: see `engine/ids.ts`. */
export function replicaOf(id: number): number {
  return Math.floor(id / idsPerReplica) % maxReplicas
}

/** The number of the replica that stored an event. */
export const replicaNumber = sql`bitAnd(bitShiftRight(id, 6), 63)`

/** Selects the events that are after one position but not after another; `null` if there are none. */
export function between(after: PositionIds, upTo: PositionIds): Sql | null {
  const [afterOf, upToOf] = [limitsOf(after), limitsOf(upTo)]
  const replicas = replicasOf(after, upTo)
  const changed = replicas.filter(each => afterOf(each) < upToOf(each))
  const startIds = changed.map(afterOf)
  const ranges = changed.map(
    each => sql`(${replicaNumber} = ${each} AND id > ${afterOf(each)} AND id <= ${upToOf(each)})`,
  )
  const [othersAfter, othersUpTo] = [afterOf(null), upToOf(null)]
  if (othersAfter < othersUpTo) {
    startIds.push(othersAfter)
    const listed = replicas.map(each => sql`${each}`)
    ranges.push(
      sql`(${replicaNumber} NOT IN (${join(listed, ', ')}) AND id > ${othersAfter} AND id <= ${othersUpTo})`,
    )
  }
  if (ranges.length === 0) return null
  // The first condition lets ClickHouse skip old granules.
  return sql`(id > ${Math.min(...startIds)} AND (${join(ranges, ' OR ')}))`
}

/** Returns a position between two others. Of the events between them, those with ids greater than `id` are after it. */
export function positionAt(id: number, after: PositionIds, upTo: PositionIds): number[] {
  const [afterOf, upToOf] = [limitsOf(after), limitsOf(upTo)]
  return replicasOf(after, upTo).map(each =>
    lastIdOf(each, Math.min(Math.max(id, afterOf(each)), upToOf(each))),
  )
}

function replicasOf(...positions: readonly PositionIds[]): number[] {
  return [...new Set(positions.flat().map(replicaOf))]
}

/** The greatest id that a replica can assign, up to and including `id`. */
function lastIdOf(replica: number, id: number): number {
  if (replicaOf(id) === replica) return id
  const startId = id - (id % idsPerMs)
  const lastId = startId + replica * idsPerReplica + idsPerReplica - 1
  return lastId <= id ? lastId : lastId - idsPerMs
}

/**
 * Returns a function that returns a replica's newest id before the position. Pass `null` for a replica that the
 * position does not list.
 */
function limitsOf(position: PositionIds): (replica: number | null) => number {
  const byReplica = new Map(position.map(id => [replicaOf(id), id]))
  const settledId = idAt(acceptedMs(Math.max(...position)) - settledMs)
  return replica => (replica === null ? settledId : (byReplica.get(replica) ?? settledId))
}
