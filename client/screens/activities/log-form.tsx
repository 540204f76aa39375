import type { ReactNode } from 'react'
import { paths } from '../../../shared/paths.ts'
import { usePage } from '../../page.ts'

/**
 * A form of the log. It contains the URL of the page, to which the server returns, because `location` already contains the
 * next URL while the next page loads.
 * @param form one of `activitiesForms`
 */
export function LogForm({ form, children }: { form: string; children: ReactNode }) {
  return (
    <form method="post" action={paths.activities()}>
      <input type="hidden" name="form" value={form} />
      <input type="hidden" name="page" value={usePage().url} />
      {children}
    </form>
  )
}
