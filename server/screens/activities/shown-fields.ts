import type { Column } from '../../../shared/columns.ts'
import type { EventRow } from '../../../shared/event.ts'
import { roundForDisplay } from '../round-for-display.ts'

/**
 * Removes values that the page does not show, because every row is part of the hydration data: surplus digits, and ids and
 * releases without a column, which can be longer than the rest of the row.
 */
export function withShownFields(row: EventRow, columns: readonly Column[]): EventRow {
  const shown = new Set(columns.map(column => ('field' in column ? column.field : null)))
  return {
    ...row,
    durationMs: roundForDisplay(row.durationMs),
    release: shown.has('release') ? row.release : null,
    requestId: shown.has('request') ? row.requestId : null,
    traceId: shown.has('trace') ? row.traceId : null,
    digest: shown.has('digest') ? row.digest : null,
    // The open event has its own copy, which links to the failure.
    fingerprint: null,
  }
}
