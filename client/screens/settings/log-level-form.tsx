import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { settingsForms, settingsSections } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { SelectField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { SaveNotice } from './save-notice.tsx'
import { ResetButton, SettingOrigin } from './setting-origin.tsx'

/** The minimum level of Sixpane's own log. */
export function LogLevelForm({ content: { level, saved } }: { content: Contents['settings'] }) {
  return (
    <Section title={settingsSections['log-level']} id="log-level">
      <p className="muted prose">
        Sixpane’s own log lines below this level are discarded. Changes apply immediately, for everyone.
      </p>
      <SaveNotice section="log-level" saved={saved} problems={level.problem === null ? 0 : 1} />
      <form className="settings-form" method="post" action={paths.settings({ section: 'log-level' })}>
        <input type="hidden" name="form" value={settingsForms.level} />
        <SelectField
          label="Minimum level"
          name="level"
          defaultValue={level.value}
          problem={level.problem ?? undefined}
          hint={<SettingOrigin field={level} />}
          options={level.levels.map(each => ({ value: each, label: each }))}
        />
        <div className="settings-buttons">
          <Button type="submit" kind="primary">
            Save
          </Button>
          <ResetButton fields={[level]} />
        </div>
      </form>
    </Section>
  )
}
