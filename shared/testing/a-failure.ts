import type { FailureRow } from '../failure.ts'

/** Returns an open failure of the service `shop` that occurred once, with some fields replaced. */
export function aFailure(fields: Partial<FailureRow> = {}): FailureRow {
  return {
    id: 'a41c09be72',
    state: 'open',
    stateMs: null,
    mutedUntilMs: null,
    resolved: null,
    returned: null,
    type: 'TypeError',
    message: '',
    route: null,
    release: null,
    digests: [],
    digestCount: 0,
    services: ['shop'],
    serviceCount: 1,
    count: 1,
    firstSeenMs: 0,
    lastSeenMs: 0,
    sparkline: [],
    ...fields,
  }
}
