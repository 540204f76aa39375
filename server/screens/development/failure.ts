import type { Query } from '../../../shared/query.ts'
import { spanning, type Window } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import type { Context } from '../../context.ts'
import type { ScreenRequest } from '../screen.ts'
import { failureLife } from './failure-history.ts'

const occurrencesLimit = 20

/** All details of a failure, or `null` if it has no stored events. */
export async function failureDetail(
  id: string,
  window: Window,
  bucketMs: number,
  { store, failures }: Pick<Context, 'store' | 'failures'>,
  request: ScreenRequest,
): Promise<FailureDetail | null> {
  const { params, signal } = request
  const figures = await store.failure(id, bucketMs, window, signal)
  if (figures === null) return null
  const kept = spanning(figures.firstSeenMs, figures.lastSeenMs)
  const occurrencesOf = async (query: Query) =>
    (await store.events({ window: kept, query, limit: occurrencesLimit }, signal)).events
  const digest = params.get('digest')?.trim() || null
  const all: Query = { kind: 'field', field: 'failure', comparison: '=', value: id }
  const [found, perRelease, life] = await Promise.all([
    digest === null ? [] : occurrencesOf({ kind: 'and', left: all, right: hasDigest(digest) }),
    store.failureReleases(id, signal),
    failureLife(figures, request, store),
  ])
  // Who pastes a digest wants to know of that visitor's failure, not of whichever came last.
  const ofDigest = found.length > 0 ? digest : null
  const occurrences = ofDigest === null ? await occurrencesOf(all) : found
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
    digests: ofDigest === null ? figures.digests : withFirst(found[0]?.digest ?? ofDigest, figures.digests),
    ofDigest,
    frames: stack === null ? [] : await failures.frames(stack, told ?? undefined),
    stack,
    occurrences,
    latest: latest ?? null,
    perRelease,
  }
}

function hasDigest(digest: string): Query {
  return { kind: 'field', field: 'digest', comparison: '=', value: digest, literal: true }
}

function withFirst(first: string, digests: string[]): string[] {
  return [first, ...digests.filter(digest => digest !== first)]
}
