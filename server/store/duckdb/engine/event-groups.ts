import type { EventGroup } from '../../common/metrics/event-block.ts'
import { createGroupList, type GroupList } from '../../common/metrics/group-list.ts'

/** The groups in a segment's blocks. */
export type EventGroups = GroupList<EventGroup>

export function createEventGroups(): EventGroups {
  return createGroupList(group => JSON.stringify(fieldsOf(group)))
}

/** Returns the group of requests or other events with these fields. */
export function toGroup(fields: Omit<EventGroup, 'isError'>): EventGroup {
  const { severity, service, release, source, method, route, status, fingerprint, isRequest } = fields
  const isError = isRequest && status !== null && status >= 500
  // Copies each field. Spread syntax would create an object whose fields are slower to read, and queries read them for each
  // event.
  return { severity, service, release, source, method, route, status, fingerprint, isRequest, isError }
}

/** The fields that identify a group, in the order in which they are stored. */
export function fieldsOf(group: EventGroup) {
  const { severity, service, release, source, method, route, status, fingerprint, isRequest } = group
  return [severity, service, release, source, method, route, status, fingerprint, isRequest]
}
