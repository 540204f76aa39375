import type { Contents } from '../../../shared/page.ts'
import type { SettingsPart } from '../../../shared/paths.ts'
import { LevelForm } from './level-form.tsx'
import { PreferencesForm } from './preferences-form.tsx'
import { RedactionForm } from './redaction-form.tsx'
import { RetentionForm } from './retention-form.tsx'
import { ServerSettings } from './server-settings.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'

const parts: Record<SettingsPart, string> = {
  preferences: 'Preferences',
  'log-level': 'Log level',
  retention: 'Retention',
  redaction: 'Redaction',
  webhooks: 'Webhooks',
  tokens: 'Ingest tokens',
  service: 'Environment',
}

/** What the visitor chose for this browser, how the service is set, and whom it tells of what. */
export default function Settings({ content }: { content: Contents['settings'] }) {
  return (
    <div className="settings">
      <h1>Settings</h1>
      <nav className="settings-parts" aria-label="Settings">
        <ul>
          {Object.entries(parts).map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="settings-forms">
        <PreferencesForm content={content} />
        <LevelForm content={content} />
        <RetentionForm content={content} />
        <RedactionForm content={content} />
        <Webhooks content={content} />
        <Tokens content={content} />
        <ServerSettings server={content.server} />
      </div>
    </div>
  )
}
