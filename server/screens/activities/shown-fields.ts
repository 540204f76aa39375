import type { Column } from '../../../shared/columns.ts'
import type { EventRow } from '../../../shared/event.ts'
import { roundForDisplay } from '../round-for-display.ts'

/**
 * Every row is part of the hydration data. Removes the values that the page does not show: surplus digits, and ids and
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
    // Only the open event links to its failure, and it has a separate copy of the fingerprint.
    fingerprint: null,
  }
}
