import type { Contents } from '../../../shared/page.ts'
import { spans, spanWords } from '../../../shared/range.ts'
import { settingsForms, settingsSections } from '../../../shared/screens/settings.ts'
import { ChoiceField, SelectField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { SettingsForm } from './settings-form.tsx'
import { TimeZoneField } from './time-zone-field.tsx'

/** The preferences of this browser. With JavaScript, each change is saved immediately. */
export function PreferencesForm({ content }: { content: Contents['settings'] }) {
  const { preferences, saved } = content
  const { values, problems } = preferences
  return (
    <Section title={settingsSections.preferences} id="preferences">
      <SettingsForm
        section="preferences"
        form={settingsForms.preferences}
        saved={saved}
        problems={Object.keys(problems).length}
        save="Save preferences"
        hint="Stored in this browser"
        savesChanges
      >
        <ChoiceField
          label="Theme"
          name="theme"
          defaultValue={values.theme}
          problem={problems.theme}
          options={[
            { value: 'system', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
        <ChoiceField
          label="Density"
          name="density"
          defaultValue={values.density}
          problem={problems.density}
          options={[
            { value: 'comfortable', label: 'Comfortable' },
            { value: 'compact', label: 'Compact' },
          ]}
        />
        <ChoiceField
          label="Motion"
          name="motion"
          defaultValue={values.motion}
          problem={problems.motion}
          options={[
            { value: 'system', label: 'System' },
            { value: 'reduced', label: 'None' },
          ]}
        />
        <ChoiceField
          label="Clock"
          name="clock"
          defaultValue={values.clock}
          problem={problems.clock}
          options={[
            { value: '24h', label: '14:03' },
            { value: '12h', label: '02:03 pm' },
          ]}
        />
        <TimeZoneField value={values.timeZone} problem={problems.timeZone} timeZones={content.timeZones} />
        <SelectField
          label="Default time range"
          name="range"
          defaultValue={values.range}
          problem={problems.range}
          options={spans.map(span => ({ value: span, label: capitalised(spanWords(span)) }))}
        />
      </SettingsForm>
    </Section>
  )
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
