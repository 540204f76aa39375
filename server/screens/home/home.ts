import { isSpan, type Span, type Window } from '../../../shared/range.ts'
import { connectSnippets } from '../../connect/snippets.ts'
import { requiresSignIn } from '../../settings/config.ts'
import { windowOf } from '../buckets.ts'
import { isStoredSince } from '../is-stored-since.ts'
import { isOnlyOwn } from '../only-own.ts'
import { pageNumberOf } from '../page-number.ts'
import { defineScreen } from '../screen.ts'
import { markNew } from './mark-new.ts'
import { limitServices, pageOfServices, serviceRows, withoutOwnService } from './services.ts'
import { verdictOf } from './verdict.ts'

/** Short, because the screen shows the current state. */
const defaultSpan: Span = '15m'
const sparklineBuckets = 30
const failuresLimit = 10
/** The number of snippets to show: one with curl, for a quick test, and one that sends the output of a program. */
const firstSnippets = 2

/** The home screen, which shows whether anything is wrong right now. */
export const home = defineScreen({
  id: 'home',

  parse({ params, nowMs }) {
    const span = spanOf(params)
    const window = windowOf({ span }, nowMs)
    return {
      span,
      window,
      // All bars have the same length, because a shorter last one would look like a drop.
      bucketMs: Math.ceil((window.toMs - window.fromMs) / sparklineBuckets),
      ownShown: params.get('own') === 'shown',
      requestedPage: params.get('services') === 'all' ? pageNumberOf(params) : null,
    }
  },

  async load({ window, bucketMs }, { signal, nowMs }, { store, settings }) {
    const previous: Window = { fromMs: 2 * window.fromMs - window.toMs, toMs: window.fromMs }
    const [metrics, seenSources, { failures, counts }, countsBefore] = await Promise.all([
      store.services(window, bucketMs, signal),
      store.seenSources(signal),
      store.failures(
        { window, bucketMs, sort: 'newest', state: 'open', service: null, text: null, limit: failuresLimit },
        signal,
      ),
      store.failureCounts(previous, signal),
    ])
    const stored = { seenSources, settings, nowMs }
    return {
      metrics,
      seenSources,
      failures: isStoredSince(window.fromMs, stored) ? markNew(failures, window) : failures,
      before: isStoredSince(previous.fromMs, stored) ? countsBefore.open : null,
      counts,
    }
  },

  present(
    { metrics, seenSources, failures, before, counts },
    { span, window, ownShown, requestedPage },
    { origin, user },
    { config },
  ) {
    const all = serviceRows(metrics, seenSources, window)
    const onlyOwn = isOnlyOwn(seenSources, user)
    const exceptOwn = withoutOwnService(all)
    const others = exceptOwn.length > 0 ? exceptOwn : all
    const services = ownShown ? all : others
    const names = new Set(services.map(({ service }) => service))
    const listed = metrics.filter(({ service }) => names.has(service))
    const verdict = verdictOf({
      services,
      failures: counts.open.failures,
      failuresBefore: before?.failures ?? null,
      occurrences: counts.open.occurrences,
      occurrencesBefore: before?.occurrences ?? null,
      serverErrors: sum(listed.map(each => each.errors)),
      handledFailures: counts.resolved.failures + counts.muted.failures,
      onlyOwn,
      span,
    })
    return {
      content: {
        span,
        window,
        verdict,
        ownEvents: others.length === all.length ? null : ownShown ? 'shown' : 'hidden',
        ...(requestedPage === null
          ? { ...limitServices(services), page: null }
          : pageOfServices(services, requestedPage)),
        failures,
        otherFailures: { resolved: counts.resolved.failures, muted: counts.muted.failures },
        onlyOwn,
        connect: onlyOwn
          ? connectSnippets(origin, requiresSignIn(config), user.role).slice(0, firstSnippets)
          : [],
      },
    }
  },
})

function spanOf(params: URLSearchParams): Span {
  const span = params.get('range')
  return isSpan(span) ? span : defaultSpan
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
