import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { settingsForms } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { Ago } from '../../components/time.tsx'
import { JustMade } from './made.tsx'
import { Told } from './told.tsx'

const action = paths.settings({ part: 'tokens' })

/** What services send their events with in place of the password; it opens no screen. */
export function Tokens({ content }: { content: Contents['settings'] }) {
  const { tokens, tokenForm, isPasswordAsked, made, done } = content
  return (
    <Section title="Ingest tokens" id="tokens" count={tokens.length}>
      <p className="muted prose">
        A service sends its events with a token, <code>Authorization: Bearer sxp_…</code>: that lets events
        and source maps in and opens no screen.{' '}
        {!isPasswordAsked &&
          'Without a password nothing is asked for yet: set SIXPANE_PASSWORD to close the door.'}
      </p>
      <Told part="tokens" done={done} problems={tokenForm.problem === null ? 0 : 1} />
      {made?.kind === 'token' && <JustMade made={made} />}
      {tokens.length > 0 && (
        <ul className="settings-list">
          {tokens.map(({ id, name, createdMs }) => (
            <li key={id} className="settings-item settings-item-head">
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <span className="muted">
                made <Ago ms={createdMs} />
              </span>
              <details className="settings-unfold">
                <summary aria-label={`Revoke ${name}`}>Revoke</summary>
                <form className="settings-sure" method="post" action={action}>
                  <input type="hidden" name="form" value={settingsForms.revokeToken} />
                  <input type="hidden" name="id" value={id} />
                  <span>Who still sends with it is refused at once.</span>
                  <Button type="submit" kind="danger" aria-label={`Yes, revoke ${name}`}>
                    Yes, revoke it
                  </Button>
                </form>
              </details>
            </li>
          ))}
        </ul>
      )}
      <form className="settings-form" method="post" action={action}>
        <input type="hidden" name="form" value={settingsForms.makeToken} />
        <TextField
          label="Name of a new token"
          name="name"
          defaultValue={tokenForm.name}
          problem={tokenForm.problem ?? undefined}
          hint="Who will send with it: a service, a cluster."
          maxLength={60}
          autoComplete="off"
        />
        <Button type="submit">Make a token</Button>
      </form>
    </Section>
  )
}
