import type { WebhookForm } from '../../../shared/screens/settings.ts'
import { CheckField, TextField } from '../../components/field.tsx'

/** The fields of the forms that add and change webhooks. */
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
        label="URL"
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
        <legend>Notify on</legend>
        <CheckField label="New failure" name="new" defaultValue={values.new} problem={problems.new} />
        <CheckField label="Returned failure" name="returned" defaultValue={values.returned} />
      </fieldset>
      <TextField
        label="Error rate above (%)"
        name="ratio"
        inputMode="decimal"
        defaultValue={values.ratio}
        problem={problems.ratio}
        hint="Per service, with at least 20 requests. Leave empty to disable."
        autoComplete="off"
      />
      <TextField
        label="Window (minutes)"
        name="minutes"
        inputMode="numeric"
        defaultValue={values.minutes}
        problem={problems.minutes}
        autoComplete="off"
      />
    </>
  )
}
