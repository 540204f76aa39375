import type { WebhookForm } from '../../../shared/screens/settings.ts'
import { CheckField, TextField } from '../../components/field.tsx'

/** The fields of a webhook, for a new one and for one that is changed. */
export function WebhookFields({
  values,
  problems,
  urlHint,
}: Pick<WebhookForm, 'values' | 'problems'> & { urlHint: string }) {
  return (
    <>
      <TextField
        label="Name"
        name="name"
        defaultValue={values.name}
        problem={problems.name}
        maxLength={60}
        autoComplete="off"
      />
      <TextField
        label="Address"
        name="url"
        inputMode="url"
        defaultValue={values.url}
        problem={problems.url}
        hint={urlHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <fieldset className="field">
        <legend>Tell of</legend>
        <CheckField label="A new failure" name="new" defaultValue={values.new} problem={problems.new} />
        <CheckField label="A resolved failure that is back" name="returned" defaultValue={values.returned} />
      </fieldset>
      <TextField
        label="Error ratio above, in percent"
        name="ratio"
        inputMode="decimal"
        defaultValue={values.ratio}
        problem={problems.ratio}
        hint="Of a service’s requests, from 20 requests on. Nothing: not told of."
        autoComplete="off"
      />
      <TextField
        label="Over how many minutes"
        name="minutes"
        inputMode="numeric"
        defaultValue={values.minutes}
        problem={problems.minutes}
        autoComplete="off"
      />
    </>
  )
}
