import { parseRange } from '../../../shared/parse-range.ts'
import { type DevelopmentPart, developmentParts, paths } from '../../../shared/paths.ts'
import { spanLengthMs, type Window } from '../../../shared/range.ts'
import type { DevelopmentFailures, Drill } from '../../../shared/screens/development.ts'
import { dsnKeyOf } from '../../auth/tokens.ts'
import { connectSnippets, type DsnKey } from '../../connect/snippets.ts'
import type { Context } from '../../context.ts'
import { requiresSignIn } from '../../settings/config.ts'
import type { FailureCounts } from '../../store/failure-store.ts'
import { divideIntoBuckets } from '../buckets.ts'
import { loadNotFoundHints } from '../not-found-hints.ts'
import { defineScreen, type Presentation, type ScreenRequest } from '../screen.ts'
import { actOnDevelopment } from './development-actions.ts'
import { failureDetail } from './failure.ts'
import {
  hasOtherFingerprint,
  minSpan,
  requestedFailure,
  requestedFailureId,
  viewOf,
} from './requested-failure.ts'

const failuresLimit = 50
const sparklineBuckets = 30

type Params = ReturnType<typeof divideIntoBuckets> &
  Pick<DevelopmentFailures, 'range' | 'sort' | 'state'> & {
    /** The requested page; `null` for the list of failures. */
    part: DevelopmentPart | null
    /** The requested failure; `null` if there is none or it has not been looked up yet. */
    failureId: string | null
  }

/** More keys would hide the other snippets. */
const maxDsnKeys = 10

/** The failures, or what another page shows. */
type Data =
  | (Pick<DevelopmentFailures, 'failures' | 'selected' | 'missing'> & { counts: FailureCounts })
  | { part: DevelopmentPart; dsnKeys: DsnKey[] }

/**
 * The list of failures, and the details of one failure. Separate pages show how to connect a service, the build and the
 * drills.
 */
export const development = defineScreen<'development', Params, Data>({
  id: 'development',

  parse(request) {
    const { params, preferences, nowMs } = request
    const { sort = 'newest', state = 'open' } = viewOf(request)
    const span = spanLengthMs(preferences.range) > spanLengthMs(minSpan) ? preferences.range : minSpan
    const range = parseRange(params, { range: span, timeZone: preferences.timeZone }, nowMs)
    const part = developmentParts.find(each => each === params.get('view')) ?? null
    return { part, sort, state, range, ...divideIntoBuckets(range, nowMs, sparklineBuckets), failureId: null }
  },

  async resolve(params, request, { store }) {
    if (params.part !== null) return params
    const id = await requestedFailureId(request, store)
    if (!hasOtherFingerprint(request.params, id)) return { ...params, failureId: id }
    const location = paths.development({ ...viewOf(request), failure: id })
    return { kind: 'redirect', location }
  },

  async load({ part, window, bucketMs, sort, state, failureId }, request, context) {
    const { store } = context
    if (part !== null) return { part, dsnKeys: part === 'connect' ? await dsnKeysOf(context) : [] }
    const filter = { state: state === 'all' ? null : state, service: null }
    const [failures, counts, lookup] = await Promise.all([
      store.failures({ window, bucketMs, sort, ...filter, limit: failuresLimit + 1 }, request.signal),
      store.failureCounts(window, request.signal),
      findFailure(failureId, request, context, window, bucketMs),
    ])
    return { failures, counts, ...lookup }
  },

  present(data, { range, window, sort, state }, { origin }, context) {
    if ('part' in data) return partOf(data, origin, context)
    const { failures, counts, selected, missing } = data
    const content: DevelopmentFailures = {
      view: 'failures',
      range,
      window,
      sort,
      state,
      states: {
        open: counts.open.failures,
        resolved: counts.resolved.failures,
        muted: counts.muted.failures,
      },
      failures: failures.slice(0, failuresLimit),
      more: failures.length > failuresLimit,
      selected,
      missing,
    }
    if (missing !== null) return { status: 404, title: `No such ${missing.kind}`, content }
    return { ...(selected === null ? {} : { title: selected.type }), content }
  },

  submit: actOnDevelopment,
})

/** Returns the newest keys first, or none if no token is required. */
async function dsnKeysOf({ store, config }: Context): Promise<DsnKey[]> {
  const tokens = requiresSignIn(config) ? await store.tokens.list() : []
  return tokens
    .toReversed()
    .slice(0, maxDsnKeys)
    .map(({ name, hash }) => ({ tokenName: name, key: dsnKeyOf(hash) }))
}

function partOf(
  { part, dsnKeys }: { part: DevelopmentPart; dsnKeys: DsnKey[] },
  origin: string,
  { build, config }: Context,
): Presentation<'development'> {
  switch (part) {
    case 'connect': {
      const connect = connectSnippets(origin, requiresSignIn(config), dsnKeys)
      return { title: 'Connect a service', content: { view: 'connect', connect } }
    }
    case 'build': {
      const { version, builtAtMs, chunks, dependencies } = build
      const shown = { version, build: build.build, builtAtMs, node: process.version, chunks, dependencies }
      return { title: 'Build', content: { view: 'build', build: shown } }
    }
    case 'drill':
      return { title: 'Drill', content: { view: 'drill', drill: config.drill ? drillWays : null } }
  }
}

async function findFailure(
  id: string | null,
  request: ScreenRequest,
  context: Context,
  window: Window,
  bucketMs: number,
): Promise<Pick<DevelopmentFailures, 'selected' | 'missing'>> {
  const { kind, value } = requestedFailure(request.params)
  if (value === '') return { selected: null, missing: null }
  const selected = id === null ? null : await failureDetail(id, window, bucketMs, context, request)
  if (selected !== null) return { selected, missing: null }
  return { selected, missing: { kind, value, hints: await loadNotFoundHints(context, request.signal) } }
}

const drillWays = (
  [
    ['content', 'Throw while loading the content'],
    ['render', 'Throw while rendering the page'],
    ['late', 'Throw after sending the head of the page'],
    ['client', 'Throw in the browser'],
  ] satisfies [Drill, string][]
).map(([way, label]) => ({ way, label, href: paths.development({ drill: way }) }))
