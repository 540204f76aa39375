import type { LogEvent } from '../../../shared/event.ts'
import type { Window } from '../../../shared/range.ts'
import { selectsService } from '../common/selects-service.ts'
import type { Filter, RequestFilter } from '../event-store.ts'
import { matches } from './match.ts'
import { isInWindow, type Memory } from './memory.ts'

export function eventsIn({ events }: Memory, window: Window): LogEvent[] {
  return events.filter(event => isInWindow(event, window))
}

export function eventsOfServices(memory: Memory, filter: RequestFilter): LogEvent[] {
  return eventsIn(memory, filter.window).filter(({ service }) => selectsService(filter, service))
}

export function matchingEvents(memory: Memory, { window, query }: Filter): LogEvent[] {
  return eventsIn(memory, window).filter(event => matches(memory, event, query))
}
