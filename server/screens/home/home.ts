import { paths } from '../../../shared/paths.ts'
import { isSpan, resolveRange, type Span, spanMs, type Window } from '../../../shared/range.ts'
import { connectSnippets } from '../../connect/snippets.ts'
import type { Screen } from '../screen.ts'
import { folded, isOnlyOwn, serviceRows } from './services.ts'
import { verdictOf } from './verdict.ts'

/** "Right now", where the visitor does not say otherwise. */
const defaultSpan: Span = '15m'
const sparklineBuckets = 30
const newestFailures = 10
/** One line to see an event arrive, and a service with pino. */
const firstWays = 2

/** Is anything wrong right now? */
export const home: Screen<'home'> = async ({ params, nowMs, origin, signal }, { config, store }) => {
  const span = spanOf(params)
  const window = resolveRange({ span }, nowMs)
  const before: Window = { fromMs: window.fromMs - spanMs[span], toMs: window.fromMs }
  const bucketMs = spanMs[span] / sparklineBuckets

  const [newest, figures, lastSeen, failures, countsBefore, counts] = await Promise.all([
    // What comes after it is news, even before the others have answered.
    store.since(null, { query: { kind: 'all' }, limit: 0 }, signal),
    store.services(window, bucketMs, signal),
    store.lastSeen(signal),
    store.failures(
      { window, bucketMs, sort: 'newest', state: 'open', service: null, limit: newestFailures },
      signal,
    ),
    store.failureCounts(before, signal),
    store.failureCounts(window, signal),
  ])
  const services = serviceRows(figures, lastSeen, window)
  const onlyOwn = isOnlyOwn(lastSeen)
  const verdict = verdictOf({
    services,
    failures: sum(figures.map(figure => figure.failures)),
    failuresBefore: countsBefore.open.occurrences,
    serverErrors: sum(figures.map(figure => figure.errors)),
    failuresAside: counts.resolved.failures + counts.muted.failures,
    onlyOwn,
    span,
  })
  const areAllAsked = params.get('services') === 'all'
  return {
    kind: 'content',
    content: {
      span,
      window,
      verdict,
      ...(areAllAsked ? { services, leftOut: [] } : folded(services)),
      areAllAsked,
      failures,
      newsHref: paths.live({ q: 'failure:open', after: newest.lastId }),
      otherFailures: { resolved: counts.resolved.failures, muted: counts.muted.failures },
      onlyOwn,
      connect: onlyOwn ? connectSnippets(origin, config.password !== null).slice(0, firstWays) : [],
    },
  }
}

function spanOf(params: URLSearchParams): Span {
  const span = params.get('range')
  return isSpan(span) ? span : defaultSpan
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
