import { useId } from 'react'
import { type FailureDetail, failureForms } from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { FailureStateLabel } from '../../components/failure-state.tsx'
import { TextField } from '../../components/field.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Ago } from '../../components/time.tsx'

/** The failure's state, and forms that change it. The forms submit to the page's URL. */
export function FailureActions({ failure }: { failure: FailureDetail }) {
  const isOpen = failure.state === 'open'
  return (
    <div className="failure-lifecycle" id="failure-state">
      <p className="failure-status" data-outcome="">
        <FailureStateLabel failure={failure} />
        <span>
          <StateDescription failure={failure} />
        </span>
      </p>
      <div className="failure-decisions">
        {isOpen && <Resolve failure={failure} />}
        {isOpen ? (
          <ActionButton form={failureForms.mute} label="Mute" />
        ) : (
          <ActionButton form={failureForms.reopen} label="Reopen" />
        )}
        {isOpen && failure.knownReleases.length > 0 && <ResolveInRelease failure={failure} />}
      </div>
    </div>
  )
}

function StateDescription({ failure }: { failure: FailureDetail }) {
  const { state, stateMs, resolved, returned, knownReleases } = failure
  if (returned !== null && resolved !== null) {
    return (
      <>
        Resolved <ResolvedIn release={resolved.release} /> <Ago ms={resolved.atMs} />, reopened{' '}
        <Ago ms={returned.atMs} />.
      </>
    )
  }
  if (state === 'resolved' && resolved !== null) {
    return (
      <>
        <Ago ms={resolved.atMs} />, <ResolvedIn release={resolved.release} />.{' '}
        {knownReleases.length === 0
          ? 'Reopens at the next occurrence, because its services report no release.'
          : resolved.release === null
            ? 'Reopens if it occurs in a newer release.'
            : 'Reopens if it occurs in this release or a later one.'}
      </>
    )
  }
  if (state === 'muted') {
    return (
      <>
        {stateMs !== null && (
          <>
            <Ago ms={stateMs} />.{' '}
          </>
        )}
        Hidden from Home and from the list of open failures; webhooks are not notified.
      </>
    )
  }
  return 'Shown on Home until resolved or muted.'
}

function ResolvedIn({ release }: { release: string | null }) {
  if (release === null) return 'in the next release'
  return (
    <>
      in <bdi>{plainText(release)}</bdi>
    </>
  )
}

function ActionButton({ form, label, primary }: { form: string; label: string; primary?: boolean }) {
  return (
    <form method="post" action="#failure">
      <Button type="submit" kind={primary ? 'primary' : 'plain'} name="form" value={form}>
        {label}
      </Button>
    </form>
  )
}

function Resolve({ failure: { knownReleases } }: { failure: FailureDetail }) {
  const label = knownReleases.length === 0 ? 'Resolve' : 'Resolve in the next release'
  return <ActionButton form={failureForms.resolve} label={label} primary />
}

function ResolveInRelease({ failure: { knownReleases, resolveForm } }: { failure: FailureDetail }) {
  const listId = useId()
  const { release, problem } = resolveForm
  return (
    <details className="failure-resolve" open={problem !== null}>
      <summary>Resolve in a specific release</summary>
      <form method="post" action="#failure">
        <input type="hidden" name="form" value={failureForms.resolve} />
        <TextField
          label="Fixed in"
          name="release"
          list={listId}
          defaultValue={release}
          problem={problem ?? undefined}
          hint="A current or future release. Earlier releases won’t reopen it."
          autoComplete="off"
        />
        <datalist id={listId}>
          {knownReleases.map(known => (
            <option key={known} value={known} />
          ))}
        </datalist>
        <Button type="submit">Resolve in this release</Button>
      </form>
    </details>
  )
}
