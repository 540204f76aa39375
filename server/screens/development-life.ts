import type { FailureDetail, FailureRow } from '../../shared/content.ts'
import type { Markup } from '../../shared/markup.ts'
import { paths } from '../../shared/paths.ts'
import { withTerm } from '../../shared/query.ts'
import { drawSeries } from '../charts/series.ts'
import { startOfDay } from '../charts/ticks.ts'
import type { Store } from '../store/store.ts'
import type { ScreenRequest } from './screen.ts'

const dayMs = 86_400_000
const shownDays = 30

/** What became of a failure and whom it met: days, requests, notes, and what its forms begin with. */
export async function failureLife(
  { fingerprint, services }: FailureRow,
  request: ScreenRequest,
  store: Store,
): Promise<Pick<FailureDetail, 'perDay' | 'reach' | 'notes' | 'noteForm' | 'resolveForm' | 'knownReleases'>> {
  const { signal } = request
  const [perDay, reach, notes, known] = await Promise.all([
    drawDays(fingerprint, request, store),
    store.failureReach(fingerprint, signal),
    store.failureBook.notes(fingerprint),
    store.releases(services, signal),
  ])
  return {
    perDay,
    reach,
    notes,
    noteForm: { text: '', problem: null },
    resolveForm: { release: '', problem: null },
    knownReleases: [...new Set(known.map(({ release }) => release))],
  }
}

/** Occurrences per day of the visitor's zone, today's last; each day leads to its occurrences. */
async function drawDays(
  fingerprint: string,
  { preferences, nowMs, signal }: ScreenRequest,
  store: Pick<Store, 'histogram'>,
): Promise<Markup> {
  const window = { fromMs: startOfDay(nowMs, preferences) - (shownDays - 1) * dayMs, toMs: nowMs }
  const query = { kind: 'field', field: 'fingerprint', comparison: '=', value: fingerprint } as const
  const days = await store.histogram({ window, query }, dayMs, signal)
  return drawSeries({
    name: 'failure-days',
    title: 'Occurrences per day',
    unit: 'per day',
    window,
    bucketMs: dayMs,
    clock: preferences,
    kind: 'bar',
    format: 'count',
    series: [
      {
        name: 'Occurrences',
        tone: 'bad',
        values: days.map(({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0)),
      },
    ],
    hrefFor: paths.activitiesOver(withTerm('', 'fingerprint', fingerprint)),
  })
}
