import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import type { DevelopmentFailure, FailureDetail } from '../../../shared/screens/development.ts'
import { Charts } from '../../components/charts.tsx'
import { Icon } from '../../components/icon.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { RawHtml } from '../../components/raw-html.tsx'
import { StackTrace } from '../../components/stack-trace.tsx'
import { useMayChange } from '../../page.ts'
import { DigestNotice } from './digest-notice.tsx'
import { EarlierFailure } from './earlier-failure.tsx'
import { FailureFacts } from './failure-facts.tsx'
import { FailureHead, FailureStatus } from './failure-head.tsx'
import { pageOf } from './failures.tsx'
import { Grouping } from './grouping.tsx'
import { LatestOccurrence } from './latest-occurrence.tsx'
import { Notes } from './notes.tsx'
import { Occurrences } from './occurrences.tsx'
import { OtherOccurrence } from './other-occurrence.tsx'
import { Releases } from './releases.tsx'
import { useFailureKeys } from './use-failure-keys.ts'

/**
 * One failure: its state, stack and latest occurrence. A column at the side, or below on narrow screens, summarises all
 * occurrences.
 */
export function Failure({ content }: { content: DevelopmentFailure }) {
  const { failure, confirmation } = content
  useFailureKeys()
  return (
    // Without the key, React would reuse the forms, with their entered text, for another failure.
    <section key={failure.id} className="failure" id="failure" aria-labelledby="failure-title">
      <a className="failure-back" href={paths.development(pageOf(content))}>
        <Icon name="left" />
        All failures
      </a>
      <FailureHead failure={failure} />
      <div className="failure-message">
        <LongText text={failure.message === '' ? '(no message)' : failure.message} />
      </div>
      <FailureStatus failure={failure} confirmation={confirmation} />
      <SaveError failure={failure} />
      <DigestNotice failure={failure} />
      <div className="failure-columns">
        <div>
          <EarlierFailure failure={failure} />
          <h3>Stack trace</h3>
          {failure.stackOccurrence !== null && (
            <OtherOccurrence
              failure={failure}
              occurrence={failure.stackOccurrence}
              reason={
                failure.hasStackOfOtherDigest
                  ? 'which does not have this digest: only events from browsers have it'
                  : `which is not the latest${failure.shownDigest === null ? '' : ' with this digest'}`
              }
            />
          )}
          <StackTrace frames={failure.frames} stack={failure.stack} />
          <LatestOccurrence failure={failure} range={content.range} window={content.window} />
        </div>
        <aside aria-label="Details">
          <FailureFacts failure={failure} range={content.range} window={content.window} />
          <h3>Occurrences over time</h3>
          <Charts
            hrefOfWindow={window =>
              paths.activities({ q: withTerm('', 'failure', failure.id), range: window })
            }
          >
            <RawHtml fragment={failure.chart} />
          </Charts>
          <Releases failure={failure} />
          <Notes failure={failure} />
          {useMayChange() && <Grouping failure={failure} list={pageOf(content)} />}
        </aside>
        <Occurrences failure={failure} />
      </div>
    </section>
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
