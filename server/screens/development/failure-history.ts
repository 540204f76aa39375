import type { FailureRow } from '../../../shared/failure.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import type { Store } from '../../store/store.ts'
import type { ScreenRequest } from '../screen.ts'
import { drawOccurrences } from './occurrence-chart.ts'

/** Loads a failure's occurrence chart, impact, notes and known releases, and the initial form values. */
export async function failureHistory(
  row: FailureRow,
  request: ScreenRequest,
  store: Store,
): Promise<Pick<FailureDetail, 'chart' | 'impact' | 'notes' | 'noteForm' | 'resolveForm' | 'knownReleases'>> {
  const { id, services } = row
  const { signal } = request
  const [chart, impact, notes, known] = await Promise.all([
    drawOccurrences(row, request, store),
    store.failureImpact(id, signal),
    store.failureStates.notes(id),
    store.releases(services, signal),
  ])
  return {
    chart,
    impact,
    notes,
    noteForm: { text: '', problem: null },
    resolveForm: { release: '', problem: null },
    knownReleases: [...new Set(known.map(({ release }) => release))],
  }
}
