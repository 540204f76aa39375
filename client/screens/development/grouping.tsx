import type { ReactNode } from 'react'
import { formatCount, pluralise } from '../../../shared/format.ts'
import { type DevelopmentView, paths } from '../../../shared/paths.ts'
import {
  type FailureDetail,
  type FailureFingerprint,
  failureForms,
  type MergeCandidate,
} from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'
import { queryOf } from '../../components/query-of.ts'
import { HiddenFields } from '../../components/search-box.tsx'
import { Ago } from '../../components/time.tsx'
import { useDevelopmentAction } from './form-action.ts'

type GroupedFailure = Pick<
  FailureDetail,
  'id' | 'state' | 'impact' | 'fingerprints' | 'fingerprintCount' | 'merge' | 'splitProblem'
>

/** The fingerprints of the failure, which can be split off, and a form to merge another failure into it. */
export function Grouping({ failure, list }: { failure: GroupedFailure; list: DevelopmentView }) {
  const { fingerprints, fingerprintCount, splitProblem } = failure
  return (
    <div id="grouping">
      <h3>Grouping</h3>
      {splitProblem !== null && <Notice tone="bad" title={splitProblem} isOutcome />}
      {fingerprints.length > 0 && (
        <>
          <p>
            This failure groups {pluralise(fingerprintCount, 'fingerprint')}
            {fingerprintCount > fingerprints.length && `. The newest ${fingerprints.length}`}:
          </p>
          <ol className="fingerprints">
            {fingerprints.map(each => (
              <Fingerprint key={each.fingerprint} failure={failure} fingerprint={each} />
            ))}
          </ol>
        </>
      )}
      <Merge failure={failure} list={list} />
    </div>
  )
}

function Fingerprint({
  failure,
  fingerprint: each,
}: {
  failure: GroupedFailure
  fingerprint: FailureFingerprint
}) {
  const { fingerprint, type, message, topFrame, count, releases, releaseCount, lastSeenMs } = each
  return (
    <li>
      <p className="fingerprint-title">
        <bdi>{plainText(type)}</bdi>: <bdi>{message === '' ? '(no message)' : plainText(message)}</bdi>
      </p>
      <p className="muted">
        <code>{fingerprint}</code>
        {topFrame !== null && (
          <>
            {' '}
            in <bdi>{plainText(topFrame.functionName ?? '(anonymous)')}</bdi> (
            <bdi>{plainText(topFrame.file)}</bdi>)
          </>
        )}
        , {pluralise(count, 'occurrence')}
        {releases.length > 0 && (
          <>
            , in <bdi>{plainText(releases.join(', '))}</bdi>
            {releaseCount > releases.length && ` and ${formatCount(releaseCount - releases.length)} more`}
          </>
        )}
        , last seen <Ago ms={lastSeenMs} />
      </p>
      {fingerprint === failure.id ? (
        <p className="muted">This fingerprint is the ID of the failure. You can split off the others.</p>
      ) : (
        <Split failure={failure} fingerprint={each} />
      )}
    </li>
  )
}

function Split({ failure, fingerprint }: { failure: GroupedFailure; fingerprint: FailureFingerprint }) {
  const rest = failure.impact.occurrences - fingerprint.count
  return (
    <details className="fingerprint-split">
      <summary>
        Split off<span className="visually-hidden"> {fingerprint.fingerprint}</span>
      </summary>
      <form method="post" action={useDevelopmentAction('grouping')}>
        <input type="hidden" name="form" value={failureForms.split} />
        <input type="hidden" name="fingerprint" value={fingerprint.fingerprint} />
        <p>
          {pluralise(fingerprint.count, 'occurrence')} will become a separate failure. It will be open unless
          it had another state before it was merged. This failure keeps its state and{' '}
          {pluralise(rest, 'other occurrence')}. Notes stay with the failure on which they were written. You
          can merge the failures again.
        </p>
        <Button type="submit">Split off {pluralise(fingerprint.count, 'occurrence')}</Button>
      </form>
    </details>
  )
}

function Merge({ failure, list }: { failure: GroupedFailure; list: DevelopmentView }) {
  const { merge } = failure
  const href = paths.development({ ...list, failure: failure.id })
  return (
    <details className="failure-merge" open={merge !== null}>
      <summary>Merge with another failure</summary>
      {merge?.chosen ? (
        <ConfirmMerge failure={failure} chosen={merge.chosen} href={href} />
      ) : (
        <>
          <form method="get" action={`${paths.development()}#grouping`}>
            <HiddenFields values={queryOf(href)} />
            <TextField
              label="Failure ID, fingerprint or digest"
              name="merge"
              defaultValue={merge?.value ?? ''}
              problem={merge?.problem ?? undefined}
              hint="Leave empty to list similar failures. You can check the failure before you merge it."
              autoComplete="off"
              maxLength={2000}
            />
            <Button type="submit">Find failure</Button>
          </form>
          {merge !== null && <Similar href={href} similar={merge.similar} />}
        </>
      )}
    </details>
  )
}

function Similar({ href, similar }: { href: string; similar: readonly MergeCandidate[] }) {
  if (similar.length === 0) return <p>No other failure in the same services has a similar stack.</p>
  return (
    <>
      <h4>Similar failures</h4>
      <ul className="similar-failures">
        {similar.map(candidate => (
          <li key={candidate.id}>
            <Candidate candidate={candidate} />
            <form method="get" action={`${paths.development()}#grouping`}>
              <HiddenFields values={queryOf(href)} />
              <Button type="submit" name="merge" value={candidate.id}>
                Select<span className="visually-hidden"> {candidate.id}</span>
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </>
  )
}

function Candidate({
  candidate: { id, type, message, state, count, lastSeenMs },
}: {
  candidate: MergeCandidate
}): ReactNode {
  return (
    <p>
      <a href={paths.development({ failure: id })}>
        <bdi>{plainText(type)}</bdi>: <bdi>{message === '' ? '(no message)' : plainText(message)}</bdi>
      </a>{' '}
      <span className="muted">
        {state}, {pluralise(count, 'occurrence')}, last seen <Ago ms={lastSeenMs} />
      </span>
    </p>
  )
}

function ConfirmMerge(props: { failure: GroupedFailure; chosen: MergeCandidate; href: string }) {
  const { failure, chosen, href } = props
  const { state, impact } = failure
  return (
    <form method="post" action={`${href}#grouping`}>
      <input type="hidden" name="form" value={failureForms.merge} />
      <input type="hidden" name="other" value={chosen.id} />
      <Candidate candidate={chosen} />
      <p>
        {pluralise(chosen.count, 'occurrence')}
        {chosen.notes > 0 && ` and ${pluralise(chosen.notes, 'note')}`} will move to this failure, which then
        has {pluralise(impact.occurrences + chosen.count, 'occurrence')}. It keeps its ID and remains {state}
        {chosen.state !== state && `, although the other failure is ${chosen.state}`}. Links to the other
        failure will open this one. You can split the failures again.
      </p>
      <div className="failure-merge-buttons">
        <Button type="submit" kind="primary">
          Merge {pluralise(chosen.count, 'occurrence')}
        </Button>
        <a href={`${href}#grouping`}>Cancel</a>
      </div>
    </form>
  )
}
