import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { settingsForms, settingsSections } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { Ago } from '../../components/time.tsx'
import { NewSecret } from './new-secret.tsx'
import { SaveNotice } from './save-notice.tsx'
import { SettingsForm } from './settings-form.tsx'

const action = paths.settings({ section: 'tokens' })

/** Tokens that let services send events without the password. */
export function Tokens({ content }: { content: Contents['settings'] }) {
  const { tokens, tokenForm, requiresSignIn, newSecret, saved } = content
  return (
    <Section title={settingsSections.tokens} id="tokens" count={tokens.length}>
      <p className="muted prose">
        Services authenticate with <code>Authorization: Bearer sxp_…</code>. A token can send events and
        source maps, but not read anything.{' '}
        {!requiresSignIn && 'Anyone can send events until you set SIXPANE_PASSWORD.'}
      </p>
      <SaveNotice section="tokens" saved={saved} />
      {newSecret?.kind === 'token' && <NewSecret secret={newSecret} />}
      {tokens.length > 0 && (
        <ul className="settings-list">
          {tokens.map(({ id, name, createdMs }) => (
            <li key={id} className="settings-item settings-item-head">
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <span className="muted">
                created <Ago ms={createdMs} />
              </span>
              <details className="settings-unfold">
                <summary aria-label={`Revoke ${name}`}>Revoke</summary>
                <form className="settings-confirm" method="post" action={action}>
                  <input type="hidden" name="form" value={settingsForms.revokeToken} />
                  <input type="hidden" name="id" value={id} />
                  <span>Services using this token will be rejected immediately.</span>
                  <Button type="submit" kind="danger" aria-label={`Revoke token ${name}`}>
                    Revoke token
                  </Button>
                </form>
              </details>
            </li>
          ))}
        </ul>
      )}
      <SettingsForm
        section="tokens"
        form={settingsForms.makeToken}
        problems={tokenForm.problem === null ? 0 : 1}
        save="Create token"
      >
        <TextField
          label="Name"
          name="name"
          defaultValue={tokenForm.name}
          problem={tokenForm.problem ?? undefined}
          hint="Who uses the token, e.g. a service or a cluster"
          maxLength={60}
          autoComplete="off"
        />
      </SettingsForm>
    </Section>
  )
}
