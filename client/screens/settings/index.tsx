import type { Contents } from '../../../shared/content.ts'
import type { SettingsDone } from '../../../shared/paths.ts'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { JustMade } from './made.tsx'
import { PreferencesForm } from './preferences-form.tsx'
import { ServerSettings } from './server-settings.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'

const doneWords: Record<SettingsDone, string> = {
  preferences: 'Your preferences are kept in this browser.',
  'webhook-tested': 'A test message was sent. How it went stands with the webhook.',
  'webhook-removed': 'The webhook is removed.',
  'token-revoked': 'The token is revoked.',
}

/** What the visitor chose for this browser, whom the service tells of what, and how it is set. */
export default function Settings({ content }: { content: Contents['settings'] }) {
  const { done, made, server, redacted } = content
  const wrong = problemCount(content)
  return (
    <div className="settings">
      <h1>Settings</h1>
      {done !== null && <Notice tone="ok" title={doneWords[done]} />}
      {made !== null && <JustMade made={made} />}
      {wrong > 0 && (
        <Notice tone="bad" title="Nothing was saved.">
          {wrong === 1 ? 'One field below says' : `${wrong} fields below say`} what to change.
        </Notice>
      )}
      <Section title="Preferences" id="preferences">
        <p className="muted prose">They hold for this browser, and are kept in one cookie.</p>
        <PreferencesForm content={content} />
      </Section>
      <Webhooks webhooks={content.webhooks} webhookForm={content.webhookForm} />
      <Tokens
        tokens={content.tokens}
        tokenForm={content.tokenForm}
        isPasswordAsked={content.isPasswordAsked}
      />
      <ServerSettings server={server} redacted={redacted} />
    </div>
  )
}

function problemCount({ problems, webhookForm, tokenForm }: Contents['settings']): number {
  return (
    Object.keys(problems).length +
    Object.keys(webhookForm.problems).length +
    (tokenForm.problem === null ? 0 : 1)
  )
}
