import type { ReactNode } from 'react'
import type { SettingField } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'

/** Shows whether a setting is the default, comes from the environment or was changed here. */
export function SettingOrigin({ field, children }: { field: SettingField; children?: ReactNode }) {
  const { environment, isDefault, isChanged } = field
  if (!isChanged) return isDefault ? 'Default value' : 'Set by the environment'
  return (
    <>
      <strong>Changed here.</strong> {isDefault ? 'Default' : 'Environment'}:{' '}
      {children ?? <code>{environment}</code>}
    </>
  )
}

/** Resets the form's settings, regardless of the values in its fields. */
export function ResetButton({ fields }: { fields: SettingField[] }) {
  if (!fields.some(field => field.isChanged)) return null
  return (
    <Button type="submit" name="to" value="environment" formNoValidate>
      Reset to the {fields.every(field => field.isDefault) ? 'default' : 'environment’s value'}
    </Button>
  )
}
