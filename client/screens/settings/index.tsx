import type { Contents } from '../../../shared/page.ts'
import { Environment } from './environment.tsx'
import { LogLevelForm } from './log-level-form.tsx'
import { PreferencesForm } from './preferences-form.tsx'
import { RedactionForm } from './redaction-form.tsx'
import { RetentionForm } from './retention-form.tsx'
import { UndoForm } from './settings-form.tsx'
import { SettingsNav } from './settings-nav.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'

/** The visitor's preferences, and the service's settings, webhooks and ingest tokens. */
export default function Settings({ content }: { content: Contents['settings'] }) {
  return (
    <div className="settings">
      <h1>Settings</h1>
      <SettingsNav />
      <div className="settings-forms">
        <PreferencesForm content={content} />
        <LogLevelForm content={content} />
        <RetentionForm content={content} />
        <RedactionForm content={content} />
        <Webhooks content={content} />
        <Tokens content={content} />
        <Environment rows={content.environment} />
        {content.saved !== null && <UndoForm section={content.saved.section} />}
      </div>
    </div>
  )
}
