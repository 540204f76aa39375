import { CheckField, ChoiceField, SelectField, TextAreaField, TextField } from '../../components/field.tsx'
import { BothThemes, Example } from './example.tsx'

const themes = ['System', 'Light', 'Dark'].map(label => ({ value: label.toLowerCase(), label }))
const zones = ['UTC', 'Europe/Zurich', 'Asia/Kathmandu'].map(value => ({ value, label: value }))

/** Form fields of every kind, in several states: empty, filled, invalid and disabled. */
export function Forms() {
  return (
    <Example
      title="Fields"
      id="fields"
      note="Screen readers read a field’s hint and error together with its label."
      keys={[
        ['Tab', 'moves from field to field; in a choice, to the selected option'],
        ['↑ ↓ ← →', 'select another option'],
        ['Space', 'ticks a checkbox'],
        ['Enter', 'submits the form'],
      ]}
      code={
        '<TextField label="Name" name="name" defaultValue={name} hint="As it appears in the log" problem={problem} />\n' +
        '<SelectField label="Zone" name="zone" options={zones} />\n' +
        '<ChoiceField label="Theme" name="theme" options={themes} defaultValue="light" />\n' +
        '<CheckField label="New failure" name="new" defaultValue="on" />\n' +
        '<TextAreaField label="Note" name="text" rows={3} />'
      }
    >
      <BothThemes>{theme => <Fields theme={theme} />}</BothThemes>
    </Example>
  )
}

function Fields({ theme }: { theme: string }) {
  return (
    <div className="ui-stack">
      <TextField
        label="Name"
        name={`${theme}-name`}
        defaultValue="checkout"
        hint="As it appears in the log"
      />
      <TextField
        label="Webhook"
        name={`${theme}-hook`}
        defaultValue="htp://example"
        problem="Enter a URL starting with https://"
      />
      <TextField label="Disabled" name={`${theme}-off`} defaultValue="fixed" disabled />
      <SelectField label="Time zone" name={`${theme}-zone`} defaultValue="UTC" options={zones} />
      <SelectField
        label="Time zone, invalid"
        name={`${theme}-zone-wrong`}
        options={zones}
        problem="Unknown time zone"
      />
      <ChoiceField label="Theme" name={`${theme}-theme`} defaultValue="light" options={themes} />
      <CheckField label="New failure" name={`${theme}-new`} defaultValue="on" />
      <CheckField
        label="Returned failure"
        name={`${theme}-returned`}
        hint="A resolved failure that occurred again"
        problem="Choose at least one"
      />
      <TextAreaField
        label="Note"
        name={`${theme}-note`}
        defaultValue={'Seen after the move to the new\ncard network.'}
        hint="Visible to everyone"
      />
      <TextAreaField label="Note, missing" name={`${theme}-note-wrong`} problem="Enter a note" />
    </div>
  )
}
