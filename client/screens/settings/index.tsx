import type { Contents } from '../../../shared/page.ts'
import type { SettingsSection } from '../../../shared/screens/settings.ts'
import { AccountSection } from './account.tsx'
import { AuditLog } from './audit-log.tsx'
import { Environment } from './environment.tsx'
import { LogLevelForm } from './log-level-form.tsx'
import { PreferencesForm } from './preferences-form.tsx'
import { RedactionForm } from './redaction-form.tsx'
import { RetentionForm } from './retention-form.tsx'
import type { ServiceContent } from './service-content.ts'
import { UndoForm } from './settings-form.tsx'
import { SettingsNav } from './settings-nav.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'

/** The visitor's preferences and account, and for administrators also the settings of the server. */
export default function Settings({ content }: { content: Contents['settings'] }) {
  const { account, service, saved } = content
  return (
    <div className="settings">
      <h1>Settings</h1>
      <SettingsNav sections={sectionsOf(content)} />
      <div>
        <PreferencesForm content={content} />
        {account !== null && <AccountSection account={account} />}
        {service !== null && <ServiceSections content={{ ...service, saved }} />}
        {saved !== null && <UndoForm section={saved.section} />}
      </div>
    </div>
  )
}

function ServiceSections({ content }: { content: ServiceContent }) {
  return (
    <>
      <LogLevelForm content={content} />
      <RetentionForm content={content} />
      <RedactionForm content={content} />
      <Webhooks content={content} />
      <Tokens content={content} />
      <AuditLog entries={content.audit} />
      <Environment table={content.environment} />
    </>
  )
}

function sectionsOf({ account, service }: Contents['settings']): SettingsSection[] {
  return [
    'preferences',
    ...(account === null ? [] : (['account'] as const)),
    ...(service === null
      ? []
      : (['log-level', 'retention', 'redaction', 'webhooks', 'tokens', 'audit', 'service'] as const)),
  ]
}
