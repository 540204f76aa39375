import { type ActivitiesContent, activitiesForms } from '../../../shared/screens/activities.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/menu.tsx'
import { plainText } from '../../components/plain-text.ts'
import { useMayChange } from '../../page.ts'
import { LogForm } from './log-form.tsx'

/** The saved searches, shared by all visitors, and a form to save the current one. */
export function SavedSearchesMenu({ content: { saved, saveForm } }: { content: ActivitiesContent }) {
  const { view, name, problem } = saveForm
  const mayChange = useMayChange()
  if (!mayChange && saved.length === 0) return null
  return (
    <Menu
      label="Saved"
      icon="saved"
      className="activities-saved"
      open={problem !== null}
      startsWithField={saved.length === 0}
    >
      {saved.length > 0 && (
        <ul>
          {saved.map(({ id, name: savedName, href, active }) => (
            <li key={id}>
              <a href={href} aria-current={active ? 'true' : undefined}>
                <bdi>{plainText(savedName)}</bdi>
              </a>
              {mayChange && (
                <LogForm form={activitiesForms.deleteSearch}>
                  <input type="hidden" name="id" value={id} />
                  <button type="submit" aria-label={`Delete ${savedName}`} title="Delete">
                    <Icon name="close" />
                  </button>
                </LogForm>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <LogForm form={activitiesForms.save}>
          <input type="hidden" name="view" value={view} />
          <TextField
            label="Save search as"
            name="name"
            defaultValue={name}
            data-saved=""
            problem={problem ?? undefined}
            hint="Visible to everyone. An existing search with this name is replaced."
            maxLength={80}
            autoComplete="off"
            required
          />
          <Button type="submit">Save</Button>
        </LogForm>
      )}
    </Menu>
  )
}
