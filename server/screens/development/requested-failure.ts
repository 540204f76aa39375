import { failureSorts } from '../../../shared/failure.ts'
import { parseRange, rangeParams } from '../../../shared/parse-range.ts'
import type { DevelopmentView } from '../../../shared/paths.ts'
import type { Span, Window } from '../../../shared/range.ts'
import { maxFailuresOfDigest } from '../../store/common/list-limits.ts'
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

/** Returns the digest in the URL; `null` if there is none. */
export function requestedDigest(params: URLSearchParams): string | null {
  return params.get('digest')?.trim() || null
}

/** Returns the failure id, fingerprint or digest from the URL. The value is empty if there is none. */
export function requestedFailure(params: URLSearchParams) {
  const kind = params.has('failure') ? 'failure' : 'digest'
  return { kind, value: (params.get(kind) ?? '').trim() } as const
}

/** The result of looking up the failure and the digest in the URL. */
type Found = {
  /** `null` if the URL contains no failure or only an unknown digest. */
  id: string | null
  /** The ids of the failures with the digest in the URL, at most ten. */
  idsOfDigest: readonly string[]
}

/** Looks up the requested failure. */
export async function findRequestedFailure(
  { params, signal }: ScreenRequest,
  store: Pick<Store, 'failureId' | 'failuresOfDigest'>,
): Promise<Found> {
  const { kind, value } = requestedFailure(params)
  const digest = requestedDigest(params)
  const [id, idsOfDigest] = await Promise.all([
    kind === 'failure' && value !== '' ? store.failureId(value, signal) : null,
    digest === null ? [] : failuresOfDigest(digest, store, signal),
  ])
  return { id: kind === 'failure' ? id : (idsOfDigest[0] ?? null), idsOfDigest }
}

/**
 * Returns the failure with the digest in the URL if the failure in the URL no longer has it, because the events expired or
 * were grouped again. Otherwise, `null`. The response to a form always shows the failure that the form belongs to.
 */
export function failureOfMovedDigest(params: URLSearchParams, { id, idsOfDigest }: Found): string | null {
  const isResponseToForm = params.has('shown') || params.has('done')
  if (id === null || idsOfDigest.includes(id) || isResponseToForm) return null
  // If not all failures with the digest are known, the failure in the URL may be one of them.
  return idsOfDigest.length < maxFailuresOfDigest ? (idsOfDigest[0] ?? null) : null
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
