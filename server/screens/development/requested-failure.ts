import { failureStates } from '../../../shared/failure.ts'
import type { DevelopmentView } from '../../../shared/paths.ts'
import { parseRange, type Span } from '../../../shared/range.ts'
import type { Store } from '../../store/store.ts'
import type { ScreenRequest } from '../screen.ts'

/** The minimum default range. Failures are rare, so an hour shows little. */
export const minSpan: Span = '24h'

/** Parses the query string of the screen. Invalid parameters are ignored. */
export function viewOf(params: URLSearchParams): DevelopmentView {
  const requested = params.get('state')
  return {
    failure: params.get('failure') ?? undefined,
    digest: params.get('digest') ?? undefined,
    sort: params.get('sort') === 'frequent' ? 'frequent' : undefined,
    state: ([...failureStates, 'all'] as const).find(state => state === requested),
    range: params.has('range') || params.has('from') ? parseRange(params, minSpan) : undefined,
  }
}

/** The fingerprint or digest in the URL; an empty value if there is none. */
export function requestedFailure(params: URLSearchParams) {
  const kind = params.has('failure') ? 'failure' : 'digest'
  return { kind, value: (params.get(kind) ?? '').trim() } as const
}

/** The requested fingerprint, or the fingerprint of the requested digest; `null` if there is none. */
export async function requestedFingerprint(
  { params, signal }: ScreenRequest,
  store: Pick<Store, 'fingerprintOfDigest'>,
): Promise<string | null> {
  const { kind, value } = requestedFailure(params)
  if (kind === 'failure' || value === '') return value || null
  return store.fingerprintOfDigest(value, signal)
}

/** The new fingerprint of the requested failure, if source maps changed it; otherwise `null`. */
export async function failureMovedTo(
  { params, signal }: ScreenRequest,
  { failureStates, failureReleases }: Pick<Store, 'failureStates' | 'failureReleases'>,
): Promise<string | null> {
  const { kind, value } = requestedFailure(params)
  if (kind === 'digest' || value === '') return null
  const movedTo = await failureStates.movedTo(value)
  // Occurrences of releases without source maps keep the old fingerprint.
  return movedTo === null || (await failureReleases(value, signal)).length > 0 ? null : movedTo
}
