import type { ReactNode } from 'react'
import type { FailureRow, FailureSort, ListedFailure } from '../../shared/failure.ts'
import { formatCount, pluralise } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import { withTerm } from '../../shared/query.ts'
import type { Window } from '../../shared/range.ts'
import { Badge } from './badge.tsx'
import { Digest } from './digest.tsx'
import { FailureStateLabel, hasNotableState } from './failure-state.tsx'
import { Icon } from './icon.tsx'
import { Isolated } from './isolated.tsx'
import { isAscii, plainText } from './plain-text.ts'
import { Sparkline } from './sparkline.tsx'
import { Ago } from './time.tsx'

type ListProps = {
  failures: ListedFailure[]
  hrefFor: (failure: FailureRow) => string
  /** The time window that the counts cover. */
  window: Window
  /** The service whose occurrences are counted; absent or `null` for all services. */
  service?: string | null
  caption: string
  /** Links in the column headings sort the list. */
  sorting?: { current: FailureSort; hrefFor: (sort: FailureSort) => string }
  /** The checkbox of each row, and the checkbox that selects all rows. */
  selection?: { all: ReactNode; of: (failure: FailureRow) => ReactNode }
}

/** A table of failures: error, origin, trend, count, and first and last occurrence. */
export function FailureList(props: ListProps) {
  const { failures, sorting, selection } = props
  return (
    <div className="failures-frame">
      <table className="failures">
        <caption className="visually-hidden">{props.caption}</caption>
        <colgroup>
          {selection !== undefined && <col className="failures-col-select" />}
          <col />
          <col className="failures-col-trend" />
          <col className="failures-col-count" />
          <col className="failures-col-seen" />
          <col className="failures-col-seen" />
        </colgroup>
        <thead>
          <tr>
            {selection !== undefined && <th scope="col">{selection.all}</th>}
            <th scope="col">Failure</th>
            <SortableHeading name="Trend" sort="trend" sorting={sorting} />
            <SortableHeading name="Count" sort="frequent" sorting={sorting} isNumber />
            <SortableHeading name="First seen" sort="age" sorting={sorting} />
            <SortableHeading name="Last seen" sort="newest" sorting={sorting} />
          </tr>
        </thead>
        <tbody>
          {failures.map(failure => (
            <Row key={failure.id} failure={failure} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function SortableHeading(props: {
  name: string
  sort: FailureSort
  sorting: ListProps['sorting']
  isNumber?: boolean
}) {
  const { name, sort, sorting, isNumber } = props
  const isCurrent = sorting?.current === sort
  return (
    <th scope="col" className={isNumber ? 'num' : undefined} aria-sort={isCurrent ? 'descending' : undefined}>
      {sorting === undefined ? (
        name
      ) : (
        <a className="failures-sort" href={sorting.hrefFor(sort)}>
          {name}
          {isCurrent && <Icon name="down" />}
        </a>
      )}
    </th>
  )
}

function Row({
  failure,
  hrefFor,
  window,
  service = null,
  selection,
}: ListProps & { failure: ListedFailure }) {
  const { count, state } = failure
  const message = plainText(failure.message).trim()
  const occurrences = pluralise(count, 'occurrence')
  const q = withTerm('', 'failure', failure.id)
  return (
    <tr>
      {selection !== undefined && <td className="failures-select">{selection.of(failure)}</td>}
      <td className="failures-what" data-state={state}>
        <a id={failureLinkId(failure)} href={hrefFor(failure)}>
          <strong>
            <Isolated text={failure.type} />
          </strong>{' '}
          <span dir={isAscii(message) ? undefined : 'auto'}>{message === '' ? '(no message)' : message}</span>
        </a>
        <Origin failure={failure} />
      </td>
      <td>
        <Sparkline values={failure.sparkline} label={`${occurrences} in this time range`} />
      </td>
      <td className="failures-count num">
        <a
          href={paths.activities({
            q: service === null ? q : withTerm(q, 'service', service),
            range: window,
          })}
          aria-label={`Show ${occurrences} in the log`}
        >
          {formatCount(count)}
        </a>
      </td>
      <td className="failures-first">
        <Ago ms={failure.firstSeenMs} />
      </td>
      <td className="failures-last">
        <Ago ms={failure.lastSeenMs} />
      </td>
    </tr>
  )
}

/** Returns the id of a failure's link in the list. */
export function failureLinkId({ id }: Pick<FailureRow, 'id'>): string {
  return `failure-${id}`
}

/** Shows a failure's notable state, or a badge if the failure is new, and where it occurs. */
function Origin({ failure }: { failure: ListedFailure }) {
  const { services, serviceCount, route, release, digests } = failure
  const [digest] = digests
  const [service = ''] = services
  return (
    <span className="failures-origin">
      {hasNotableState(failure) ? (
        <FailureStateLabel failure={failure} />
      ) : (
        failure.isNew && <Badge tone="accent">New</Badge>
      )}
      <span>
        <bdi>{plainText(service)}</bdi>
        {serviceCount > 1 && ` and ${serviceCount - 1} more`}
      </span>
      {route !== null && <Route text={plainText(route)} />}
      {release !== null && <bdi>{plainText(release)}</bdi>}
      {digest !== undefined && <Digest value={digest} />}
    </span>
  )
}

/** Longer routes may be cut off, so they have a tooltip. */
const longRouteLength = 24

function Route({ text }: { text: string }) {
  return <bdi title={text.length > longRouteLength ? text : undefined}>{text}</bdi>
}
