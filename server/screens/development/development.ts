import { failureStates } from '../../../shared/failure.ts'
import { type DevelopmentView, paths } from '../../../shared/paths.ts'
import { parseRange, type Span, spanMs, type Window } from '../../../shared/range.ts'
import type { DevelopmentContent, Drill } from '../../../shared/screens/development.ts'
import { connectSnippets } from '../../connect/snippets.ts'
import type { Context } from '../../context.ts'
import type { Store } from '../../store/store.ts'
import { bucketed } from '../buckets.ts'
import type { Screen, ScreenRequest } from '../screen.ts'
import { keptEvents } from '../stored-events.ts'
import { failureDetail } from './failure.ts'

const shownFailures = 50
const sparklineBuckets = 30
/** Failures are rarer than requests: an hour of them says little. */
const leastSpan: Span = '24h'

/** The workshop: the failures and one of them, how to connect a service, what the build is made of, the drill. */
export const development: Screen<'development'> = async (request, context) => {
  const { params, preferences, nowMs, origin, signal } = request
  const { build, config, store } = context
  const movedTo = await failureMovedTo(request, store)
  if (movedTo !== null) {
    return { kind: 'redirect', location: paths.development({ ...viewOf(params), failure: movedTo }) }
  }
  const { sort = 'newest', state = 'open' } = viewOf(params)
  const span = spanMs[preferences.range] > spanMs[leastSpan] ? preferences.range : leastSpan
  const range = parseRange(params, span)
  const { window, bucketMs } = bucketed(range, nowMs, sparklineBuckets)
  const listed = { sort, state: state === 'all' ? null : state, service: null, limit: shownFailures + 1 }

  const [failures, counts, { selected, missing }] = await Promise.all([
    store.failures({ window, bucketMs, ...listed }, signal),
    store.failureCounts(window, signal),
    lookUp(request, context, window, bucketMs),
  ])
  const content: DevelopmentContent = {
    range,
    window,
    sort,
    state,
    states: {
      open: counts.open.failures,
      resolved: counts.resolved.failures,
      muted: counts.muted.failures,
    },
    failures: failures.slice(0, shownFailures),
    more: failures.length > shownFailures,
    selected,
    missing,
    connect: connectSnippets(origin, config.password !== null),
    build: {
      version: build.version,
      build: build.build,
      builtAtMs: build.builtAtMs,
      node: process.version,
      chunks: build.chunks,
      dependencies: build.dependencies,
    },
    drill: config.drill ? drillWays : null,
  }
  if (missing !== null) return { kind: 'content', status: 404, title: `No such ${missing.kind}`, content }
  return { kind: 'content', ...(selected === null ? {} : { title: selected.type }), content }
}

/** What the query string says of the screen; what it gets wrong counts as left out. */
export function viewOf(params: URLSearchParams): DevelopmentView {
  const stated = params.get('state')
  return {
    failure: params.get('failure') ?? undefined,
    digest: params.get('digest') ?? undefined,
    sort: params.get('sort') === 'frequent' ? 'frequent' : undefined,
    state: ([...failureStates, 'all'] as const).find(state => state === stated),
    range: params.has('range') || params.has('from') ? parseRange(params, leastSpan) : undefined,
  }
}

/** The fingerprint that was asked for, by itself or by a digest; `null` where there is none. */
export async function fingerprintAsked(
  { params, signal }: ScreenRequest,
  store: Pick<Store, 'fingerprintOfDigest'>,
): Promise<string | null> {
  const { kind, value } = asked(params)
  if (kind === 'failure' || value === '') return value || null
  return store.fingerprintOfDigest(value, signal)
}

/** What the failure that was asked for goes under since source maps came; `null` where it goes under its own name. */
export async function failureMovedTo(
  { params, signal }: ScreenRequest,
  { failureStates, failureReleases }: Pick<Store, 'failureStates' | 'failureReleases'>,
): Promise<string | null> {
  const { kind, value } = asked(params)
  if (kind === 'digest' || value === '') return null
  const movedTo = await failureStates.movedTo(value)
  // Occurrences that came after the move may have its old name, where their release has no maps.
  return movedTo === null || (await failureReleases(value, signal)).length > 0 ? null : movedTo
}

function asked(params: URLSearchParams) {
  const kind = params.has('failure') ? 'failure' : 'digest'
  return { kind, value: (params.get(kind) ?? '').trim() } as const
}

/** The failure that was asked for. */
async function lookUp(
  request: ScreenRequest,
  context: Context,
  window: Window,
  bucketMs: number,
): Promise<Pick<DevelopmentContent, 'selected' | 'missing'>> {
  const { kind, value } = asked(request.params)
  if (value === '') return { selected: null, missing: null }
  const fingerprint = await fingerprintAsked(request, context.store)
  const selected =
    fingerprint === null ? null : await failureDetail(fingerprint, window, bucketMs, context, request)
  if (selected !== null) return { selected, missing: null }
  return { selected, missing: { kind, value, kept: await keptEvents(context, request.signal) } }
}

const drillWays = (
  [
    ['content', 'Throw while the content is prepared'],
    ['render', 'Throw while the page is rendered'],
    ['late', 'Throw after the head of the page was sent'],
    ['client', 'Throw in the browser'],
  ] satisfies [Drill, string][]
).map(([way, label]) => ({ way, label, href: paths.development({ drill: way }) }))
