import type { Contents } from '../../../shared/content.ts'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { PreferencesForm } from './preferences-form.tsx'
import { ServerSettings } from './server-settings.tsx'

/** What the visitor chose for this browser, and how the service is set. */
export default function Settings({ content }: { content: Contents['settings'] }) {
  const wrong = Object.keys(content.problems).length
  return (
    <div className="settings">
      <h1>Settings</h1>
      {content.saved && <Notice tone="ok" title="Your preferences are kept in this browser." />}
      {wrong > 0 && (
        <Notice tone="bad" title="Nothing was saved.">
          {wrong === 1 ? 'One field below says' : `${wrong} fields below say`} what to change.
        </Notice>
      )}
      <Section title="Preferences" id="preferences">
        <p className="muted prose">They hold for this browser, and are kept in one cookie.</p>
        <PreferencesForm content={content} />
      </Section>
      <ServerSettings server={content.server} redacted={content.redacted} />
    </div>
  )
}
