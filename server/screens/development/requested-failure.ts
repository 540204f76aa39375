import { failureSorts } from '../../../shared/failure.ts'
import { parseRange, rangeParams } from '../../../shared/parse-range.ts'
import type { DevelopmentView } from '../../../shared/paths.ts'
import type { Span, Window } from '../../../shared/range.ts'
import type { Store } from '../../store/store.ts'
import { type FoundFailure, failureInText } from '../failure-in-text.ts'
import { failuresOfDigest } from '../failures-of-digest.ts'
import { pageNumberOf } from '../page-number.ts'
import type { ScreenRequest } from '../screen.ts'

/** The minimum default range. Failures are rare, so an hour would show only a few. */
export const minSpan: Span = '24h'

const maxTextLength = 200

/** Parses the query string of the screen. Invalid parameters are ignored, and defaults are omitted. */
export function viewOf({
  params,
  preferences: { timeZone },
  nowMs,
}: Pick<ScreenRequest, 'params' | 'preferences' | 'nowMs'>): DevelopmentView {
  const requested = params.get('state')
  const page = pageNumberOf(params)
  const sort = failureSorts.find(each => each === params.get('sort'))
  return {
    failure: params.get('failure') ?? undefined,
    digest: params.get('digest') ?? undefined,
    q: params.get('q')?.trim().slice(0, maxTextLength) || undefined,
    service: params.get('service') || undefined,
    sort: sort === 'newest' ? undefined : sort,
    state: (['resolved', 'muted', 'all'] as const).find(state => state === requested),
    page: page === 1 ? undefined : page,
    range: rangeParams.some(name => params.has(name))
      ? parseRange(params, { range: minSpan, timeZone }, nowMs)
      : undefined,
  }
}

/** Returns the failure id, fingerprint or digest from the URL. The value is empty if there is none. */
export function requestedFailure(params: URLSearchParams) {
  const kind = params.has('failure') ? 'failure' : 'digest'
  return { kind, value: (params.get(kind) ?? '').trim() } as const
}

/**
 * Looks up the requested failure. `id` is `null` if the URL requests no failure or an unknown digest. `idsOfDigest` contains
 * the ids of all failures with the digest, or is `null` if no digest was looked up.
 */
export async function findRequestedFailure(
  { params, signal }: ScreenRequest,
  store: Pick<Store, 'failureId' | 'failuresOfDigest'>,
): Promise<{ id: string | null; idsOfDigest: readonly string[] | null }> {
  const { kind, value } = requestedFailure(params)
  if (value === '') return { id: null, idsOfDigest: null }
  if (kind === 'failure') return { id: await store.failureId(value, signal), idsOfDigest: null }
  const idsOfDigest = await failuresOfDigest(value, store, signal)
  return { id: idsOfDigest[0] ?? null, idsOfDigest }
}

/** Finds the failure whose digest was pasted into the filter of the list; `null` if there is none. */
export async function failureInFilter(
  { params, signal }: ScreenRequest,
  window: Window,
  store: Pick<Store, 'failuresOfDigest' | 'failureId' | 'failure'>,
): Promise<FoundFailure | null> {
  const isList = requestedFailure(params).value === ''
  return isList ? failureInText(params.get('q') ?? '', window, store, signal) : null
}

/** Whether the URL contains a fingerprint of the failure other than its id. */
export function hasOtherFingerprint(params: URLSearchParams, id: string | null): id is string {
  const { kind, value } = requestedFailure(params)
  return kind === 'failure' && id !== null && id !== value
}
