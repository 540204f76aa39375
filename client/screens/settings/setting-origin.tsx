import type { ReactNode } from 'react'
import type { SettingField } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'

/** Shows whether a setting comes from the environment or was changed here. */
export function SettingOrigin({ field, children }: { field: SettingField; children?: ReactNode }) {
  return field.isChanged ? (
    <>
      <strong>Changed here.</strong> Environment: {children ?? <code>{field.environment}</code>}
    </>
  ) : (
    'Set by the environment'
  )
}

/** Resets the form's settings, regardless of the values in its fields. */
export function ResetButton({ fields }: { fields: SettingField[] }) {
  if (!fields.some(field => field.isChanged)) return null
  return (
    <Button type="submit" name="to" value="environment" formNoValidate>
      Reset to the environment’s value
    </Button>
  )
}
