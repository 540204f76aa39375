import { paths } from '../../../shared/paths.ts'
import { type ActivitiesContent, activitiesForms } from '../../../shared/screens/activities.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/menu.tsx'
import { plainText } from '../../components/plain-text.ts'

/** The views that have a name, and the form that gives this one its own. They are everyone's who uses this console. */
export function SavedSearchesMenu({ content: { saved, saveForm } }: { content: ActivitiesContent }) {
  const { view, name, problem } = saveForm
  return (
    <Menu label="Saved" className="activities-saved" open={problem !== null}>
      {saved.length > 0 && (
        <ul>
          {saved.map(({ id, name: its, href, active }) => (
            <li key={id}>
              <a href={href} aria-current={active ? 'true' : undefined}>
                <bdi>{plainText(its)}</bdi>
              </a>
              <form method="post" action={paths.activities()}>
                <input type="hidden" name="form" value={activitiesForms.forget} />
                <input type="hidden" name="id" value={id} />
                <input type="hidden" name="view" value={view} />
                <button type="submit" aria-label={`Forget ${its}`} title="Forget">
                  <Icon name="close" />
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      <form method="post" action={paths.activities()}>
        <input type="hidden" name="form" value={activitiesForms.save} />
        <input type="hidden" name="view" value={view} />
        <TextField
          label="Keep this search as"
          name="name"
          defaultValue={name}
          problem={problem ?? undefined}
          hint="For everyone who uses this console. A name that is there already is taken over."
          maxLength={80}
          autoComplete="off"
          required
        />
        <Button type="submit">Save</Button>
      </form>
    </Menu>
  )
}
