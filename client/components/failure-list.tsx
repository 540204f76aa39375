import type { FailureRow } from '../../shared/failure.ts'
import { formatCount, pluralise } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import { withTerm } from '../../shared/query.ts'
import type { Window } from '../../shared/range.ts'
import { Digest } from './digest.tsx'
import { FailureStateLabel, hasNotableState } from './failure-state.tsx'
import { Isolated } from './isolated.tsx'
import { isAscii, plainText } from './plain-text.ts'
import { Sparkline } from './sparkline.tsx'
import { TagList } from './tag-list.tsx'
import { Ago } from './time.tsx'

/** A table of failures: message, digest, services, trend, count, and when each was first and last seen. */
export function FailureList(props: {
  failures: FailureRow[]
  hrefFor: (failure: FailureRow) => string
  /** The time window that the counts cover. */
  window: Window
  /** The id of the selected failure. */
  selected?: string | null | undefined
  caption: string
}) {
  return (
    <div className="failures-frame">
      <table className="failures">
        <caption className="visually-hidden">{props.caption}</caption>
        <colgroup>
          <col />
          <col className="failures-col-digest" />
          <col className="failures-col-services" />
          <col className="failures-col-trend" />
          <col className="failures-col-count" />
          <col className="failures-col-seen" />
          <col className="failures-col-seen" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Failure</th>
            <th scope="col">Digest</th>
            <th scope="col">Services</th>
            <th scope="col">Trend</th>
            <th scope="col" className="num">
              Count
            </th>
            <th scope="col">First seen</th>
            <th scope="col">Last seen</th>
          </tr>
        </thead>
        <tbody>
          {props.failures.map(failure => (
            <Row
              key={failure.id}
              failure={failure}
              href={props.hrefFor(failure)}
              window={props.window}
              selected={failure.id === props.selected}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = { failure: FailureRow; href: string; window: Window; selected: boolean }

function Row({ failure, href, window, selected }: RowProps) {
  const { digests, services, serviceCount, count } = failure
  const [digest] = digests
  const message = plainText(failure.message).trim()
  const occurrences = pluralise(count, 'occurrence')
  return (
    <tr data-open={selected || undefined}>
      <td className="failures-what">
        <a href={href} aria-current={selected ? 'true' : undefined}>
          <span className="failures-type">
            <strong>
              <Isolated text={failure.type} />
            </strong>
            {hasNotableState(failure) && <FailureStateLabel failure={failure} />}
          </span>
          <span className="failures-message" dir={isAscii(message) ? undefined : 'auto'}>
            {message === '' ? '(no message)' : message}
          </span>
        </a>
      </td>
      <td className="failures-digest">
        {digest !== undefined && <Digest value={digest} />}
        {digests.length > 1 && <span className="muted"> +{digests.length - 1} more</span>}
      </td>
      <td className="failures-services">
        <TagList names={services} limit={2} total={serviceCount} />
      </td>
      <td className="failures-trend">
        <Sparkline values={failure.sparkline} label={`${occurrences} in this time range`} tone="bad" />
      </td>
      <td className="failures-count num">
        <a
          href={paths.activities({ q: withTerm('', 'failure', failure.id), range: window })}
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
