import { type Column, writeColumns } from '../../../shared/columns.ts'
import { activitiesForms } from '../../../shared/screens/activities.ts'

/**
 * Submits the columns as the form in the column menu does. The response is the same page of the log with these columns.
 * @param row a visible row of the log, so that the response does not scroll to the top
 */
export function saveColumns(columns: readonly Column[], row: Element | undefined): void {
  const form = document.createElement('form')
  form.method = 'post'
  if (row !== undefined) form.action = `#${row.id}`
  form.hidden = true
  const fields = { form: activitiesForms.columns, columns: writeColumns(columns) }
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
