import type { Attributes } from '../../../shared/event.ts'
import { RefusedBodyError } from '../read-body.ts'
import type { Scoped } from './model.ts'

/** A request may become so much larger than a body may be. */
const mostTimes = 4

/**
 * Counts what a request comes to when each event gets its own copy of its resource and scope: of a large resource
 * and many small records a few megabytes would become gigabytes.
 */
export function createUnfolding(bodyBytes: number, limitBytes: number) {
  const most = limitBytes * mostTimes
  const [resource, scope] = [createMeasure(), createMeasure()]
  let sizeBytes = bodyBytes
  return {
    /** @throws RefusedBodyError where these events would be too much */
    add(scoped: Scoped<unknown>, events: number): void {
      sizeBytes += events * (resource(scoped.resource) + scope(scoped.scope.attributes))
      if (sizeBytes <= most) return
      throw new RefusedBodyError(
        413,
        `With its resource in each record the body is larger than ${most / 1e6} MB: send it in several requests`,
      )
    },
    sizeBytes: () => sizeBytes,
  }
}

/** The size of attributes that come many times in a row. */
function createMeasure() {
  let [last, size]: [Attributes | null, number] = [null, 0]
  return (attributes: Attributes): number => {
    if (attributes !== last) [last, size] = [attributes, JSON.stringify(attributes).length]
    return size
  }
}
