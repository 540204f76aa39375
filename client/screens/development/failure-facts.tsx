import { isAttributeKey } from '../../../shared/columns.ts'
import type { LogEvent } from '../../../shared/event.ts'
import { formatCount, pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { type Range, rangeWords, spanning, type Window } from '../../../shared/range.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { Digest } from '../../components/digest.tsx'
import { flatten } from '../../components/flatten.ts'
import { TagList } from '../../components/tag-list.tsx'
import { Ago } from '../../components/time.tsx'
import { countsHref } from './occurrence-href.ts'

/** The digests, counts, times and services of the failure. */
export function FailureFacts({
  failure,
  range,
  window,
}: {
  failure: FailureDetail
  range: Range
  window: Window
}) {
  const { id, digests, digestCount, services, serviceCount, count, impact, firstSeenMs, lastSeenMs } = failure
  const total = impact.occurrences
  const lifetime = spanning(firstSeenMs, lastSeenMs)
  const attributes = countable(failure.latest)
  const omittedDigests = digestCount - digests.length
  return (
    <dl className="failure-facts">
      <div>
        <dt>{digestCount === 1 ? 'Digest' : 'Digests'}</dt>
        <dd>
          {digests.length === 0
            ? '–'
            : digests.map(digest => (
                <Digest
                  key={digest}
                  value={digest}
                  href={paths.activities({
                    q: withTerm('', 'digest', digest),
                    range: lifetime,
                  })}
                />
              ))}
          {omittedDigests > 0 && (
            <a
              href={paths.activities({
                q: `${withTerm('', 'failure', id)} digest:*`,
                range: lifetime,
              })}
            >
              and {formatCount(omittedDigests)} more
            </a>
          )}
        </dd>
      </div>
      <div>
        <dt>Occurrences</dt>
        <dd>
          <a href={occurrencesHref(failure, window)}>
            {formatCount(count)} in the {rangeWords(range)}
          </a>
          <a href={occurrencesHref(failure, lifetime)}>{formatCount(total)} in total</a>
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
      {attributes.length > 0 && (
        <div>
          <dt>Break down by</dt>
          <dd>
            <TagList names={attributes} limit={8} hrefFor={path => countsHref(failure, `@${path}`)} />
          </dd>
        </div>
      )}
    </dl>
  )
}

/** The attributes of an occurrence whose values other occurrences may share: not lists, and not long text. */
function countable(occurrence: LogEvent | null): string[] {
  return flatten(occurrence?.attributes ?? {})
    .filter(
      ({ path, value }) =>
        isAttributeKey(`@${path}`) && typeof value !== 'object' && `${value}`.length <= 200,
    )
    .map(({ path }) => path)
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
