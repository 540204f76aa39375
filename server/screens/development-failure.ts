import type { FailureDetail } from '../../shared/content.ts'
import { spanning, type Window } from '../../shared/range.ts'
import type { Context } from '../context.ts'
import { failureLife } from './development-life.ts'
import type { ScreenRequest } from './screen.ts'

const shownOccurrences = 20

/** Everything that is known of one failure, or `null` where no kept event has its fingerprint. */
export async function failureDetail(
  fingerprint: string,
  window: Window,
  bucketMs: number,
  { store, failures }: Pick<Context, 'store' | 'failures'>,
  request: ScreenRequest,
): Promise<FailureDetail | null> {
  const { signal } = request
  const figures = await store.failure(fingerprint, bucketMs, window, signal)
  if (figures === null) return null
  const kept = spanning(figures.firstSeenMs, figures.lastSeenMs)
  const query = { kind: 'field', field: 'fingerprint', comparison: '=', value: fingerprint } as const
  const [{ events: occurrences }, perRelease, life] = await Promise.all([
    store.events({ window: kept, query, limit: shownOccurrences }, signal),
    store.failureReleases(fingerprint, signal),
    failureLife(figures, request, store),
  ])
  const [newest] = occurrences
  // An occurrence may be no more than the digest that a page showed: the stack is that of the newest that has one.
  const thrown = occurrences.find(({ exceptionType }) => exceptionType !== null) ?? newest
  const [latest, told] = await Promise.all(
    [newest, thrown].map(row => (row === undefined ? null : store.event(row.id, signal))),
  )
  const stack = told?.exception?.stack ?? null
  return {
    ...figures,
    ...life,
    frames: stack === null ? [] : await failures.frames(stack, told ?? undefined),
    stack,
    occurrences,
    latest: latest ?? null,
    perRelease,
  }
}
