import type { ReactNode } from 'react'
import type { SettingField } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'

/** Who decides a setting: the environment, until somebody changes it here. */
export function Origin({ field, children }: { field: SettingField; children?: ReactNode }) {
  return field.isChanged ? (
    <>
      <strong>Changed here.</strong> The environment says {children ?? <code>{field.environment}</code>}.
    </>
  ) : (
    'As the environment sets it.'
  )
}

/** Stands in the form of the fields: it goes back without a look at what they hold. */
export function BackToEnvironment({ fields }: { fields: SettingField[] }) {
  if (!fields.some(field => field.isChanged)) return null
  return (
    <Button type="submit" name="to" value="environment" formNoValidate>
      Back to the environment’s value{fields.length > 1 && 's'}
    </Button>
  )
}
