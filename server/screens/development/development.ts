import type { Confirmation } from '../../../shared/confirmation.ts'
import { likelyDigestIn } from '../../../shared/digest-candidates.ts'
import { type FailureState, failureStates } from '../../../shared/failure.ts'
import { parseRange } from '../../../shared/parse-range.ts'
import { paths } from '../../../shared/paths.ts'
import { spanLengthMs } from '../../../shared/range.ts'
import {
  type DevelopmentFailures,
  type DevelopmentPart,
  type Drill,
  developmentParts,
  type FailureDetail,
  type FailureFilter,
} from '../../../shared/screens/development.ts'
import { dsnKeyOf, isExpired } from '../../auth/tokens.ts'
import type { DsnKey } from '../../connect/snippet-target.ts'
import { connectSnippets } from '../../connect/snippets.ts'
import type { Context } from '../../context.ts'
import { requiresSignIn } from '../../settings/config.ts'
import type { FailureCounts, FailureList, FailureQuery } from '../../store/failure-store.ts'
import type { Store } from '../../store/store.ts'
import { divideIntoBuckets } from '../buckets.ts'
import { loadNotFoundHints } from '../not-found-hints.ts'
import { pageCountOf } from '../page-number.ts'
import { defineScreen, type Presentation, type ScreenRequest } from '../screen.ts'
import { confirmationOf } from './confirm-change.ts'
import { actOnDevelopment } from './development-actions.ts'
import { failureDetail } from './failure.ts'
import {
  failureInFilter,
  failureOfMovedDigest,
  findRequestedFailure,
  hasOtherFingerprint,
  minSpan,
  requestedFailure,
  viewOf,
} from './requested-failure.ts'

const pageLimit = 50
const sparklineBuckets = 30

type Params = Pick<FailureFilter, 'range' | 'window' | 'sort' | 'state' | 'text' | 'service' | 'page'> & {
  bucketMs: number
  /** The requested page; `null` for the list of failures and for one failure. */
  part: DevelopmentPart | null
  /** The id of the requested failure; `null` if there is none or it has not been looked up yet. */
  failureId: string | null
  /** The ids of the failures with the requested digest. Empty if none is requested, or it has not been looked up yet. */
  idsOfDigest: readonly string[]
}

/** More keys would make the note hard to read. */
const maxDsnKeys = 10
/** More services would make the page too large. */
const maxServices = 100

/** Data for a failure, for the list of failures, or for another page. */
type Data =
  | { kind: 'failure'; failure: FailureDetail; confirmation: Confirmation | null }
  | {
      kind: 'failures'
      list: FailureList
      page: number
      missing: DevelopmentFailures['missing']
      confirmation: Confirmation | null
    }
  | { kind: 'part'; part: DevelopmentPart; dsnKeys: DsnKey[] }

/**
 * The list of failures, or the details of one failure. Separate pages show the build, the drills and how to connect a
 * service.
 */
export const development = defineScreen<'development', Params, Data>({
  id: 'development',

  parse(request) {
    const { params, preferences, nowMs } = request
    const { sort = 'newest', state = 'open', q = '', service = null, page = 1 } = viewOf(request)
    const span = spanLengthMs(preferences.range) > spanLengthMs(minSpan) ? preferences.range : minSpan
    const range = parseRange(params, { range: span, timeZone: preferences.timeZone }, nowMs)
    const part = developmentParts.find(each => each === params.get('view')) ?? null
    const { window, bucketMs } = divideIntoBuckets(range, nowMs, sparklineBuckets)
    const notLookedUp = { failureId: null, idsOfDigest: [] }
    return { part, sort, state, text: q, service, page, range, window, bucketMs, ...notLookedUp }
  },

  async resolve(params, request, { store }) {
    if (params.part !== null) return params
    const found = await failureInFilter(request, params.window, store)
    if (found !== null) {
      const location = paths.development({ ...viewOf(request), ...found, q: undefined })
      return { kind: 'redirect', location }
    }
    const requested = await findRequestedFailure(request, store)
    const { id, idsOfDigest } = requested
    const other =
      failureOfMovedDigest(request.params, requested) ?? (hasOtherFingerprint(request.params, id) ? id : null)
    if (other === null) return { ...params, failureId: id, idsOfDigest }
    return { kind: 'redirect', location: paths.development({ ...viewOf(request), failure: other }) }
  },

  async load(params, request, context) {
    const { part, window, bucketMs, sort, state, text, service, page, failureId, idsOfDigest } = params
    if (part !== null) {
      return { kind: 'part', part, dsnKeys: part === 'connect' ? await dsnKeysOf(context, request) : [] }
    }
    const { store } = context
    const { signal } = request
    const [failure, confirmation] = await Promise.all([
      failureId === null ? null : failureDetail(failureId, idsOfDigest, window, bucketMs, context, request),
      confirmationOf(request, context),
    ])
    if (failure !== null) return { kind: 'failure', failure, confirmation }
    const filter = { state: state === 'all' ? null : state, service, text: text === '' ? null : text }
    const requested = requestedFailure(request.params)
    const digest = requested.value === '' ? likelyDigestIn(request.params.get('q') ?? '') : null
    const { kind, value } = digest === null ? requested : ({ kind: 'digest', value: digest } as const)
    const [listed, hints] = await Promise.all([
      loadPage(page, { window, bucketMs, sort, ...filter }, store, signal),
      value === '' ? null : loadNotFoundHints(context, request),
    ])
    // Text with an unknown digest can still match failures, which are then listed without hints.
    const isMissing = hints !== null && (digest === null || listed.list.failures.length === 0)
    return { kind: 'failures', ...listed, missing: isMissing ? { kind, value, hints } : null, confirmation }
  },

  present(data, { range, window, sort, state, text, service, page }, request, context) {
    if (data.kind === 'part') return partOf(data, request, context)
    const filter = { range, window, sort, state, text, service, page }
    const { confirmation } = data
    if (data.kind === 'failure') {
      const { failure } = data
      return { title: failure.type, content: { view: 'failure', ...filter, failure, confirmation } }
    }
    const { list, missing } = data
    const { failures, counts, services } = list
    const content: DevelopmentFailures = {
      view: 'failures',
      ...filter,
      ...serviceChoices(services, service),
      states: {
        open: counts.open.failures,
        resolved: counts.resolved.failures,
        muted: counts.muted.failures,
      },
      failures,
      page: data.page,
      first: (data.page - 1) * pageLimit + 1,
      total: totalOf(counts, filter.state),
      missing,
      confirmation,
    }
    if (missing === null || requestedFailure(request.params).value === '') return { content }
    return { status: 404, title: `No such ${missing.kind}`, content }
  },

  submit: { roleOf: () => 'member', handle: actOnDevelopment },
})

/** Loads the requested page, or the last one if there are fewer pages. */
async function loadPage(
  page: number,
  query: Omit<FailureQuery, 'limit' | 'offset'>,
  store: Pick<Store, 'failures'>,
  signal: AbortSignal,
): Promise<{ list: FailureList; page: number }> {
  const list = await store.failures({ ...query, limit: pageLimit, offset: (page - 1) * pageLimit }, signal)
  const last = pageCountOf(totalOf(list.counts, query.state ?? 'all'), pageLimit)
  return page > last ? loadPage(last, query, store, signal) : { list, page }
}

function totalOf(counts: FailureCounts, state: FailureFilter['state']): number {
  const states: readonly FailureState[] = state === 'all' ? failureStates : [state]
  return states.reduce((sum, each) => sum + counts[each].failures, 0)
}

/** Limits the number of services, but always lists the selected one. */
function serviceChoices(
  services: readonly string[],
  selected: string | null,
): Pick<DevelopmentFailures, 'services' | 'omittedServices'> {
  const first = services.slice(0, maxServices)
  const listed = selected === null || first.includes(selected) ? first : [selected, ...first]
  return { services: listed, omittedServices: services.filter(name => !listed.includes(name)).length }
}

/** Returns the newest valid keys first, or none if no token is required or the user is a viewer. */
async function dsnKeysOf(
  { store, config }: Context,
  { user, nowMs }: Pick<ScreenRequest, 'user' | 'nowMs'>,
): Promise<DsnKey[]> {
  // With a key, a viewer could send events.
  const isNeeded = requiresSignIn(config) && user.role !== 'viewer'
  const tokens = isNeeded ? await store.tokens.list() : []
  return tokens
    .filter(token => token.scopes.includes('ingest') && !isExpired(token, nowMs))
    .toReversed()
    .slice(0, maxDsnKeys)
    .map(({ name, hash }) => ({ tokenName: name, key: dsnKeyOf(hash) }))
}

function partOf(
  { part, dsnKeys }: { part: DevelopmentPart; dsnKeys: DsnKey[] },
  { origin, user }: Pick<ScreenRequest, 'origin' | 'user'>,
  { build, config }: Context,
): Presentation<'development'> {
  switch (part) {
    case 'connect': {
      const connect = connectSnippets(origin, requiresSignIn(config), user.role, dsnKeys)
      return { title: 'Connect a service', content: { view: 'connect', connect } }
    }
    case 'build': {
      const { version, builtAtMs, chunks, dependencies } = build
      const shown = { version, build: build.build, builtAtMs, node: process.version, chunks, dependencies }
      return { title: 'Build', content: { view: 'build', build: shown } }
    }
    case 'drill':
      return { title: 'Drill', content: { view: 'drill', drill: config.drill ? drillLinks : null } }
  }
}

const drillLinks = (
  [
    ['content', 'Throw while loading the content'],
    ['render', 'Throw while rendering the page'],
    ['late', 'Throw after sending the head of the page'],
    ['client', 'Throw in the browser'],
  ] satisfies [Drill, string][]
).map(([stage, label]) => ({ stage, label, href: paths.development({ drill: stage }) }))
