import type { DevelopmentContent, Drill } from '../../shared/content.ts'
import { paths } from '../../shared/paths.ts'
import { parseRange, type Span, spanMs, type Window } from '../../shared/range.ts'
import type { Context } from '../context.ts'
import { bucketed } from './buckets.ts'
import { connectSnippets } from './development-connect.ts'
import { failureDetail } from './development-failure.ts'
import type { Screen, ScreenRequest } from './screen.ts'

const shownFailures = 50
const sparklineBuckets = 30
/** Failures are rarer than requests: an hour of them says little. */
const leastSpan: Span = '24h'

/** The workshop: the failures and one of them, how to connect a service, what the build is made of, the drill. */
export const development: Screen<'development'> = async (request, context) => {
  const { params, preferences, nowMs, origin, signal } = request
  const { build, config, store } = context
  const span = spanMs[preferences.range] > spanMs[leastSpan] ? preferences.range : leastSpan
  const range = parseRange(params, span)
  const { window, bucketMs } = bucketed(range, nowMs, sparklineBuckets)
  const sort = params.get('sort') === 'frequent' ? 'frequent' : 'newest'

  const [failures, { selected, missing }] = await Promise.all([
    store.failures({ window, bucketMs, sort, service: null, limit: shownFailures + 1 }, signal),
    lookUp(request, context, window, bucketMs),
  ])
  const content: DevelopmentContent = {
    range,
    window,
    sort,
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

type LookedUp = Pick<DevelopmentContent, 'selected' | 'missing'>

/** The failure that was asked for by its fingerprint or by a digest. */
async function lookUp(
  { params, signal }: ScreenRequest,
  context: Pick<Context, 'store' | 'failures'>,
  window: Window,
  bucketMs: number,
): Promise<LookedUp> {
  const kind = params.has('failure') ? 'failure' : 'digest'
  const value = (params.get(kind) ?? '').trim()
  if (value === '') return { selected: null, missing: null }
  const fingerprint = kind === 'failure' ? value : await context.store.fingerprintOfDigest(value, signal)
  const selected =
    fingerprint === null ? null : await failureDetail(fingerprint, window, bucketMs, context, signal)
  return { selected, missing: selected === null ? { kind, value } : null }
}

const drillWays = (
  [
    ['content', 'Throw while the content is prepared'],
    ['render', 'Throw while the page is rendered'],
    ['late', 'Throw after the head of the page was sent'],
    ['client', 'Throw in the browser'],
  ] satisfies [Drill, string][]
).map(([way, label]) => ({ way, label, href: paths.development({ drill: way }) }))
