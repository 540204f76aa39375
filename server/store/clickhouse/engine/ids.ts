import { acceptedMs, idAt } from '../../common/time.ts'

/** Maximum number of replicas. An id consists of the time of acceptance, the replica's number and a position. */
export const maxReplicas = 64
/** The number of ids that a replica can assign in a millisecond. */
export const idsPerReplica = 64

export type Ids = {
  /** Returns increasing ids that are greater than all ids returned or observed before. */
  take(count: number): number[]
  /** Makes later calls to `take` return ids above this id. */
  observe(id: number): void
}

/** Assigns ids that no other replica assigns, without communication between replicas. */
export function createIds(replica: () => number, nowMs: () => number): Ids {
  let ms = Number.NEGATIVE_INFINITY
  let position = 0
  return {
    take(count) {
      const ids: number[] = []
      const now = Math.floor(nowMs())
      if (now > ms) [ms, position] = [now, 0]
      while (ids.length < count) {
        if (position === idsPerReplica) [ms, position] = [ms + 1, 0]
        ids.push(idAt(ms) + replica() * idsPerReplica + position)
        position += 1
      }
      return ids
    },
    observe(id) {
      const idMs = acceptedMs(id)
      if (idMs >= ms) [ms, position] = [idMs + 1, 0]
    },
  }
}
