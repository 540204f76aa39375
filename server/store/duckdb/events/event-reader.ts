import type { EventReader } from '../../common/metrics/event-reader.ts'
import type { Source } from '../sql/source.ts'
import { visitEvents } from './visit-events.ts'
import { visitRequests } from './visit-requests.ts'

export function eventReader(source: Source): EventReader {
  return {
    failureIndex: source.failureIndex,
    visitEvents: (...args) => visitEvents(source, ...args),
    visitRequests: (...args) => visitRequests(source, ...args),
  }
}
