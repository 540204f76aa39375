import { formatCount, pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { type Range, spanning, type Window } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { Charts } from '../../components/charts.tsx'
import { Digest } from '../../components/digest.tsx'
import { EventDetails } from '../../components/event-details.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'
import { RawHtml } from '../../components/raw-html.tsx'
import { StackTrace } from '../../components/stack-trace.tsx'
import { TagList } from '../../components/tag-list.tsx'
import { Ago } from '../../components/time.tsx'
import { FailureActions } from './failure-actions.tsx'
import { during, type ListView } from './failures.tsx'
import { Grouping } from './grouping.tsx'
import { Notes } from './notes.tsx'
import { OccurrenceContext } from './occurrence-context.tsx'
import { Occurrences } from './occurrences.tsx'
import { Releases } from './releases.tsx'
import { RequestLog } from './request-log.tsx'
import { ShareFailure } from './share-failure.tsx'

/** One failure: its state, stack, occurrences and affected requests. */
export function Failure(props: { failure: FailureDetail; range: Range; window: Window; list: ListView }) {
  const { failure, range, window, list } = props
  const { latest, frames, stack } = failure
  return (
    <section className="failure" id="failure" aria-labelledby="failure-title">
      <h2 id="failure-title" className="failure-type">
        <bdi>{plainText(failure.type)}</bdi>
      </h2>
      <div className="failure-message">
        <LongText text={failure.message === '' ? '(no message)' : failure.message} />
      </div>
      <ShareFailure failure={failure} />
      <SaveError failure={failure} />
      <FailureActions failure={failure} />
      <Facts failure={failure} range={range} window={window} />
      <DigestNotice failure={failure} />
      <h3>Stack</h3>
      <StackTrace frames={frames} stack={stack} />
      {failure.requestLog !== null && <RequestLog log={failure.requestLog} />}
      {failure.context !== null && <OccurrenceContext context={failure.context} />}
      <div className="failure-tables">
        <div>
          <h3>Occurrences per day</h3>
          <Charts
            className="failure-days"
            hrefOfWindow={window =>
              paths.activities({ q: withTerm('', 'failure', failure.id), range: window })
            }
          >
            <RawHtml fragment={failure.perDay} />
          </Charts>
        </div>
        <Releases failure={failure} />
        <Occurrences failure={failure} />
        <Notes key={failure.id} failure={failure} />
        <Grouping failure={failure} list={list} />
      </div>
      {latest !== null && (
        <details className="failure-latest">
          <summary>Latest occurrence{failure.shownDigest !== null && ' with this digest'}</summary>
          <EventDetails
            // The exception is shown above.
            event={{ ...latest, exception: null }}
            q=""
            hrefFor={q => paths.activities({ q, range: rangeAround(latest.timeMs, range, window) })}
          />
        </details>
      )}
    </section>
  )
}

const maxOtherMessageLength = 160

/** Shows which digest was requested, and links to the latest occurrence of the failure. */
function DigestNotice({ failure }: { failure: FailureDetail }) {
  const { id, shownDigest, othersWithDigest, occurrences } = failure
  const [newest] = occurrences
  if (shownDigest === null || newest === undefined) return null
  return (
    <div className="failure-of-digest">
      <Notice tone="neutral" title={`Showing digest ${plainText(shownDigest)}`}>
        Last seen <Ago ms={newest.timeMs} />
        {newest.release !== null && (
          <>
            {' '}
            in release <bdi>{plainText(newest.release)}</bdi>
          </>
        )}
        . <a href={paths.development({ failure: id })}>Show latest occurrence</a>
        {othersWithDigest.length > 0 && (
          <>
            <p>Other failures with this digest:</p>
            <ul>
              {othersWithDigest.map(({ id, type, message }) => (
                <li key={id}>
                  <a href={paths.development({ failure: id, digest: shownDigest })}>
                    <bdi>
                      {plainText(
                        message === '' ? type : `${type}: ${message.slice(0, maxOtherMessageLength)}`,
                      )}
                    </bdi>
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </Notice>
    </div>
  )
}

/** Links to the form that was not saved, because it may be far down the page. */
function SaveError({ failure: { noteForm, resolveForm } }: { failure: FailureDetail }) {
  const problem = noteForm.problem ?? resolveForm.problem
  if (problem === null) return null
  return (
    <div className="failure-problem">
      <Notice tone="bad" title="Not saved">
        <a href={noteForm.problem === null ? '#failure-state' : '#notes'}>{problem}</a>
      </Notice>
    </div>
  )
}

function Facts({ failure, range, window }: { failure: FailureDetail; range: Range; window: Window }) {
  const { digests, services, serviceCount, count, impact, firstSeenMs, lastSeenMs } = failure
  const total = impact.occurrences
  return (
    <dl className="failure-facts">
      <div>
        <dt>{digests.length === 1 ? 'Digest' : 'Digests'}</dt>
        <dd>
          {digests.length === 0
            ? '–'
            : digests.map(digest => (
                <Digest
                  key={digest}
                  value={digest}
                  href={paths.activities({
                    q: withTerm('', 'digest', digest),
                    range: spanning(firstSeenMs, lastSeenMs),
                  })}
                />
              ))}
        </dd>
      </div>
      <div>
        <dt>Occurrences</dt>
        <dd>
          <a href={occurrencesHref(failure, window)}>
            {formatCount(count)} in the {during(range)}
          </a>
          <a href={occurrencesHref(failure, spanning(firstSeenMs, lastSeenMs))}>
            {formatCount(total)} in total
          </a>
        </dd>
      </div>
      <div>
        <dt>Requests affected</dt>
        <dd>
          <AffectedCount count={impact.requests} without={impact.withoutRequest} />
        </dd>
      </div>
      {impact.users > 0 && (
        <div>
          <dt>Users affected</dt>
          <dd>
            <AffectedCount count={impact.users} without={impact.withoutUser} />
          </dd>
        </div>
      )}
      <div>
        <dt>First seen</dt>
        <dd>
          <Ago ms={firstSeenMs} />
        </dd>
      </div>
      <div>
        <dt>Last seen</dt>
        <dd>
          <Ago ms={lastSeenMs} />
        </dd>
      </div>
      <div>
        <dt>{serviceCount === 1 ? 'Service' : 'Services'}</dt>
        <dd>
          <TagList names={services} limit={12} total={serviceCount} />
        </dd>
      </div>
    </dl>
  )
}

/** The number of distinct ids, and the number of occurrences without an id. */
function AffectedCount({ count, without }: { count: number; without: number }) {
  const unknown = `${pluralise(without, 'occurrence')} without an ID`
  if (count === 0) return '–'
  return without === 0 ? (
    formatCount(count)
  ) : (
    <>
      {formatCount(count)} <span className="muted">{unknown}</span>
    </>
  )
}

function occurrencesHref({ id }: FailureDetail, window: Window): string {
  return paths.activities({ q: withTerm('', 'failure', id), range: window })
}

/** The current range if it contains the time, otherwise twelve hours around the time. */
function rangeAround(timeMs: number, range: Range, { fromMs, toMs }: Window): Range {
  if (timeMs >= fromMs && timeMs < toMs) return range
  const sixHoursMs = 6 * 3_600_000
  return spanning(timeMs - sixHoursMs, timeMs + sixHoursMs)
}
