import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { settingsForms } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { SelectField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { BackToEnvironment, Origin } from './origin.tsx'
import { Told } from './told.tsx'

const words: Readonly<Record<string, string>> = {
  info: 'info: one line a request, and all below',
  silent: 'silent: nothing at all, failures neither',
}

/** How much Sixpane writes of itself. */
export function LevelForm({ content: { level, done } }: { content: Contents['settings'] }) {
  return (
    <Section title="Log level" id="log-level">
      <p className="muted prose">
        Sixpane’s own lines below this level are neither written to standard output nor kept as events. It
        holds at once, for everyone.
      </p>
      <Told part="log-level" done={done} problems={level.problem === null ? 0 : 1} />
      <form className="settings-form" method="post" action={paths.settings({ part: 'log-level' })}>
        <input type="hidden" name="form" value={settingsForms.level} />
        <SelectField
          label="Write from this level on"
          name="level"
          defaultValue={level.value}
          problem={level.problem ?? undefined}
          hint={<Origin field={level} />}
          options={level.levels.map(each => ({ value: each, label: words[each] ?? each }))}
        />
        <div className="settings-buttons">
          <Button type="submit" kind="primary">
            Save the level
          </Button>
          <BackToEnvironment fields={[level]} />
        </div>
      </form>
    </Section>
  )
}
