import { settingsForms, settingsSections } from '../../../shared/screens/settings.ts'
import { SelectField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import type { ServiceContent } from './service-content.ts'
import { ResetButton, SettingOrigin } from './setting-origin.tsx'
import { SettingsForm } from './settings-form.tsx'

/** The minimum level of Sixpane's own log. */
export function LogLevelForm({ content: { level, saved } }: { content: ServiceContent }) {
  return (
    <Section title={settingsSections['log-level']} id="log-level">
      <p className="muted prose">Sixpane’s own log lines below this level are discarded.</p>
      <SettingsForm
        section="log-level"
        form={settingsForms.level}
        version={level.version}
        saved={saved}
        hint="Changes apply immediately, for everyone"
        problems={level.problem === null ? 0 : 1}
        actions={<ResetButton fields={[level]} />}
      >
        <SelectField
          label="Minimum level"
          name="level"
          defaultValue={level.value}
          problem={level.problem ?? undefined}
          hint={<SettingOrigin field={level} />}
          options={level.levels.map(each => ({ value: each, label: each }))}
        />
      </SettingsForm>
    </Section>
  )
}
