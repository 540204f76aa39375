import { type Column, writeColumns } from '../../../shared/columns.ts'
import { paths } from '../../../shared/paths.ts'
import { activitiesForms } from '../../../shared/screens/activities.ts'

/**
 * Submits the columns as the form in the column menu does. The response is the same page of the log with these columns.
 * @param page the URL of the page of the log
 */
export function saveColumns(columns: readonly Column[], page: string): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = paths.activities()
  form.hidden = true
  const fields = { form: activitiesForms.columns, page, columns: writeColumns(columns) }
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input')
    field.name = name
    field.value = value
    form.append(field)
  }
  document.body.append(form)
  form.requestSubmit()
  form.remove()
}
