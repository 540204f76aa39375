import type { Confirmation } from '../../../shared/confirmation.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import { FailureStateLabel } from '../../components/failure-state.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Ago, Time } from '../../components/time.tsx'
import { useMayChange } from '../../page.ts'
import { Undo } from './confirmed.tsx'
import { FailureActions, Reopen } from './failure-actions.tsx'
import { ShareFailure } from './share-failure.tsx'

/** The name and state of the failure, and the actions that change it. Stays in view while the page scrolls. */
export function FailureHead({ failure }: { failure: FailureDetail }) {
  const mayChange = useMayChange()
  return (
    <header className="failure-head">
      <h2 id="failure-title" className="failure-type">
        <bdi>{plainText(failure.type)}</bdi>
      </h2>
      <FailureStateLabel failure={failure} />
      <div className="failure-actions">
        {mayChange && <FailureActions failure={failure} />}
        <ShareFailure failure={failure} />
        {/* Takes the place that “Share” had, so that a double click on “Resolve” or “Mute” does not reopen the failure. */}
        {mayChange && failure.state !== 'open' && <Reopen />}
      </div>
    </header>
  )
}

/** Shows when the current state of the failure began and how it can end. Offers to undo the latest change. */
export function FailureStatus(props: { failure: FailureDetail; confirmation: Confirmation | null }) {
  const { failure, confirmation } = props
  return (
    <div className="failure-status" id="failure-state">
      <p data-outcome="">
        <StateDescription failure={failure} />
      </p>
      {confirmation !== null &&
        (confirmation.undoId === null ? (
          <span>{confirmation.text}</span>
        ) : (
          <Undo id={confirmation.undoId} part="failure" />
        ))}
    </div>
  )
}

function StateDescription({ failure }: { failure: FailureDetail }) {
  const { state, stateMs, mutedUntilMs, resolved, returned, knownReleases } = failure
  const by = <By name={failure.stateBy} />
  if (returned !== null && resolved !== null) {
    return (
      <>
        Resolved <Ago ms={resolved.atMs} />
        {!resolved.isReleaseHidden && (
          <>
            , <ResolvedIn release={resolved.release} />
          </>
        )}
        ; reopened <Ago ms={returned.atMs} />.
      </>
    )
  }
  if (state === 'resolved' && resolved !== null) {
    return (
      <>
        Resolved <Ago ms={resolved.atMs} />
        {by}
        {resolved.isReleaseHidden ? (
          '.'
        ) : (
          <>
            , <ResolvedIn release={resolved.release} />.{' '}
            {knownReleases.length === 0
              ? 'Reopens at the next occurrence, because its services report no release.'
              : resolved.release === null
                ? 'Reopens if it occurs in a newer release.'
                : 'Reopens if it occurs in this release or a later one.'}
          </>
        )}
      </>
    )
  }
  if (state === 'muted') {
    return (
      <>
        Muted
        {stateMs !== null && (
          <>
            {' '}
            <Ago ms={stateMs} />
          </>
        )}
        {by}
        {mutedUntilMs !== null && (
          <>
            , until <Time ms={mutedUntilMs} precision="minute" />
          </>
        )}
        . Hidden from Home and from the list of open failures; webhooks are not notified.
      </>
    )
  }
  return 'Open failures are shown on Home until they are resolved or muted.'
}

/** Who changed the state, if known. */
function By({ name }: { name: string | undefined }) {
  if (name === undefined) return null
  return (
    <>
      {' '}
      by <bdi>{plainText(name)}</bdi>
    </>
  )
}

function ResolvedIn({ release }: { release: string | null }) {
  if (release === null) return 'in the next release'
  return (
    <>
      in <bdi>{plainText(release)}</bdi>
    </>
  )
}
