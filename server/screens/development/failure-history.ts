import type { FailureRow } from '../../../shared/failure.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import type { Store } from '../../store/store.ts'
import type { ScreenRequest } from '../screen.ts'
import { drawOccurrences } from './occurrence-chart.ts'

/** Loads a failure's occurrence chart, notes and known releases, and the initial form values. */
export async function failureHistory(
  row: FailureRow,
  request: ScreenRequest,
  store: Store,
): Promise<Pick<FailureDetail, 'chart' | 'notes' | 'noteForm' | 'resolveForm' | 'knownReleases'>> {
  const { id, services } = row
  const { signal } = request
  const [chart, notes, known] = await Promise.all([
    drawOccurrences(row, request, store),
    store.failureStates.notes(id),
    store.releases(services, signal),
  ])
  return {
    chart,
    notes,
    noteForm: { text: '', problem: null },
    resolveForm: { release: '', problem: null },
    knownReleases: [...new Set(known.map(({ release }) => release))],
  }
}
