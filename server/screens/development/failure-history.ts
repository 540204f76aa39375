import type { FailureRow } from '../../../shared/failure.ts'
import { formatDay } from '../../../shared/format.ts'
import type { HtmlFragment } from '../../../shared/html-fragment.ts'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import type { Window } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { linked } from '../../charts/buckets.ts'
import { drawSeries } from '../../charts/draw-series.ts'
import { type Clock, startOfDay } from '../../charts/ticks.ts'
import type { Store } from '../../store/store.ts'
import type { ScreenRequest } from '../screen.ts'

const dayMs = 86_400_000
/** Daylight saving time shifts clocks by multiples of half an hour. */
const halfHourMs = 1_800_000
const daysLimit = 30

/** Loads the occurrences per day, impact, notes, known releases and initial form values of a failure. */
export async function failureHistory(
  { id, services }: FailureRow,
  request: ScreenRequest,
  store: Store,
): Promise<
  Pick<FailureDetail, 'perDay' | 'impact' | 'notes' | 'noteForm' | 'resolveForm' | 'knownReleases'>
> {
  const { signal } = request
  const [perDay, impact, notes, known] = await Promise.all([
    drawDays(id, request, store),
    store.failureImpact(id, signal),
    store.failureStates.notes(id),
    store.releases(services, signal),
  ])
  return {
    perDay,
    impact,
    notes,
    noteForm: { text: '', problem: null },
    resolveForm: { release: '', problem: null },
    knownReleases: [...new Set(known.map(({ release }) => release))],
  }
}

/** Returns the last days in the visitor's time zone, oldest first. Days with a clock change are longer or shorter. */
function lastDays(nowMs: number, clock: Clock): Window[] {
  const days: Window[] = [{ fromMs: startOfDay(nowMs, clock), toMs: nowMs }]
  for (let [next] = days; next !== undefined && days.length < daysLimit; [next] = days) {
    days.unshift({ fromMs: startOfDay(next.fromMs - 1, clock), toMs: next.fromMs })
  }
  return days
}

/** Draws a chart of occurrences per day. Each day links to its occurrences. */
async function drawDays(
  id: string,
  { preferences, nowMs, signal }: ScreenRequest,
  store: Pick<Store, 'histogram'>,
): Promise<HtmlFragment> {
  const days = lastDays(nowMs, preferences)
  const window = { fromMs: days[0]?.fromMs ?? nowMs, toMs: nowMs }
  const query = { kind: 'field', field: 'failure', comparison: '=', value: id } as const
  const halfHours = await store.histogram({ window, query }, halfHourMs, signal)
  const counts = halfHours.map(({ startMs, counts }) => ({
    startMs,
    count: Object.values(counts).reduce((sum, count) => sum + count, 0),
  }))
  const countOf = ({ fromMs, toMs }: Window) =>
    counts.reduce((sum, { startMs, count }) => (startMs >= fromMs && startMs < toMs ? sum + count : sum), 0)
  const buckets = days.map(day => ({
    ...day,
    label: formatDay(day.fromMs, preferences),
    href: null,
  }))
  return drawSeries(
    {
      name: 'failure-days',
      title: 'Occurrences per day',
      unit: 'per day',
      window,
      nowMs,
      bucketMs: dayMs,
      clock: preferences,
      kind: 'bar',
      format: 'count',
      series: [{ name: 'Occurrences', tone: 'bad', values: days.map(countOf) }],
    },
    linked(buckets, paths.activitiesForWindow(withTerm('', 'failure', id))),
  )
}
