import { useId } from 'react'
import { type FailureDetail, failureForms, muteSpans } from '../../../shared/screens/development.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Menu } from '../../components/menu.tsx'
import { plainText } from '../../components/plain-text.ts'
import { useDevelopmentAction } from './form-action.ts'

/** Forms that resolve or mute a failure. */
export function FailureActions({ failure }: { failure: FailureDetail }) {
  return (
    <>
      {failure.state !== 'resolved' && <Resolve failure={failure} />}
      {failure.state === 'open' && (
        <span className="failure-split">
          <ActionButton form={failureForms.mute} label="Mute" />
          <MuteForTime />
        </span>
      )}
    </>
  )
}

export function Reopen() {
  return <ActionButton form={failureForms.reopen} label="Reopen" />
}

function Resolve({ failure }: { failure: FailureDetail }) {
  const hasReleases = failure.knownReleases.length > 0
  return (
    <span className="failure-split">
      <ActionButton
        form={failureForms.resolve}
        label="Resolve"
        detail={hasReleases ? ' in the next release' : ''}
        primary
      />
      {hasReleases && <ResolveInRelease failure={failure} />}
    </span>
  )
}

/** `detail` completes the label for screen readers. */
function ActionButton(props: { form: string; label: string; detail?: string; primary?: boolean }) {
  const { form, label, detail = '', primary } = props
  return (
    <form method="post" action={useDevelopmentAction('failure')}>
      <Button type="submit" kind={primary ? 'primary' : 'plain'} name="form" value={form}>
        {label}
        {detail !== '' && <span className="visually-hidden">{detail}</span>}
      </Button>
    </form>
  )
}

function MuteForTime() {
  return (
    <Menu className="failure-menu" label={<span className="visually-hidden">Mute temporarily</span>}>
      <form method="post" action={useDevelopmentAction('failure')}>
        <input type="hidden" name="form" value={failureForms.mute} />
        {muteSpans.map(span => (
          <Button key={span} type="submit" name="for" value={span}>
            Mute for {muteNames[span]}
          </Button>
        ))}
      </form>
    </Menu>
  )
}

const muteNames = { '1h': '1 hour', '24h': '1 day', '7d': '1 week' } as const

function ResolveInRelease({ failure: { knownReleases, resolveForm } }: { failure: FailureDetail }) {
  const listId = useId()
  const { release, problem } = resolveForm
  const [latest = ''] = knownReleases
  const action = useDevelopmentAction('failure')
  return (
    <Menu
      className="failure-resolve"
      label={<span className="visually-hidden">Resolve in a specific release</span>}
      open={problem !== null}
    >
      <form method="post" action={action}>
        <input type="hidden" name="release" value={latest} />
        <Button type="submit" name="form" value={failureForms.resolve}>
          Resolve in the latest release, <bdi>{plainText(latest)}</bdi>
        </Button>
      </form>
      <form method="post" action={action}>
        <input type="hidden" name="form" value={failureForms.resolve} />
        <TextField
          label="Fixed in"
          name="release"
          list={listId}
          defaultValue={release}
          data-saved=""
          problem={problem ?? undefined}
          hint="A current or future release. Occurrences in earlier releases don’t reopen the failure."
          autoComplete="off"
        />
        <datalist id={listId}>
          {knownReleases.map(release => (
            <option key={release} value={release} />
          ))}
        </datalist>
        <Button type="submit">Resolve in this release</Button>
      </form>
    </Menu>
  )
}
