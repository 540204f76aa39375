import { paths } from '../../../shared/paths.ts'
import {
  settingsForms,
  settingsSections,
  type TokenRow,
  tokenLifetimes,
} from '../../../shared/screens/settings.ts'
import { type TokenScope, tokenScopes } from '../../../shared/token.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Section } from '../../components/section.tsx'
import { Ago, Time } from '../../components/time.tsx'
import { NewSecret } from './new-secret.tsx'
import { SaveNotice } from './save-notice.tsx'
import type { ServiceContent } from './service-content.ts'
import { SettingsForm } from './settings-form.tsx'

const action = paths.settings({ section: 'tokens' })

/** Tokens that let services and scripts use Sixpane without signing in. */
export function Tokens({ content }: { content: ServiceContent }) {
  const { tokens, tokenForm, requiresSignIn, newSecret, saved } = content
  const { problems } = tokenForm
  return (
    <Section title={settingsSections.tokens} id="tokens" count={tokens.length}>
      <p className="muted prose">
        Clients send a token in the “Authorization: Bearer sxp_…” header.{' '}
        {!requiresSignIn && 'Clients need no token until you require sign-in.'}
      </p>
      <SaveNotice section="tokens" saved={saved} />
      {newSecret?.kind === 'token' && <NewSecret key={newSecret.secret} secret={newSecret} />}
      {tokens.length > 0 && (
        <ul className="settings-list">
          {tokens.map(token => {
            const { id, name } = token
            return (
              <li key={id} className="settings-item settings-item-head">
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                <TokenFacts token={token} />
                <details className="settings-unfold">
                  <summary aria-label={`Revoke ${name}`}>Revoke</summary>
                  <form className="settings-confirm" method="post" action={action}>
                    <input type="hidden" name="form" value={settingsForms.revokeToken} />
                    <input type="hidden" name="id" value={id} />
                    <span>Requests with this token will be rejected immediately.</span>
                    <Button type="submit" kind="danger" aria-label={`Revoke token ${name}`}>
                      Revoke token
                    </Button>
                  </form>
                </details>
              </li>
            )
          })}
        </ul>
      )}
      <SettingsForm
        section="tokens"
        form={settingsForms.makeToken}
        problems={Object.keys(problems).length}
        save="Create token"
      >
        <TextField
          label="Name"
          name="name"
          defaultValue={tokenForm.name}
          problem={problems.name}
          hint="Who uses the token, e.g. a service or a cluster"
          maxLength={60}
          autoComplete="off"
        />
        <fieldset className="field">
          <legend>Permissions</legend>
          {tokenScopes.map(scope => (
            <label key={scope} className="check">
              <input
                type="checkbox"
                name={`scope-${scope}`}
                defaultChecked={tokenForm.scopes.includes(scope)}
              />
              {scopeNames[scope]}
            </label>
          ))}
          {problems.scopes !== undefined && <p className="field-problem">{problems.scopes}</p>}
        </fieldset>
        <TextField
          label="Services"
          name="services"
          defaultValue={tokenForm.services}
          problem={problems.services}
          hint="Limits the token to these services, separated by commas; empty for all"
          autoComplete="off"
        />
        <SelectField
          label="Expires"
          name="days"
          defaultValue={tokenForm.days}
          problem={problems.days}
          options={Object.entries(tokenLifetimes).map(([value, label]) => ({ value, label }))}
        />
      </SettingsForm>
    </Section>
  )
}

const scopeNames = {
  ingest: 'Send events',
  'source-maps': 'Upload source maps',
  read: 'Read events, pages and metrics',
  backup: 'Download backups, which contain all secrets',
} as const satisfies Record<TokenScope, string>

/** The permissions of a token, and its creation, last use and expiry. */
function TokenFacts({ token }: { token: TokenRow }) {
  const { createdMs, scopes, services, expiresMs, isExpired, usedMs } = token
  return (
    <span className="muted">
      Can {scopes.map(scope => scopeNames[scope].toLowerCase()).join(', ')}
      {services !== null && (
        <>
          , but only for <bdi>{plainText(services.join(', '))}</bdi>
        </>
      )}
      ; created <Ago ms={createdMs} />
      {usedMs === null ? (
        ', never used'
      ) : (
        <>
          , last used <Ago ms={usedMs} />
        </>
      )}
      {expiresMs !== null && (
        <>
          , {isExpired ? 'expired' : 'expires'} <Time ms={expiresMs} precision="minute" />
        </>
      )}
    </span>
  )
}
