import { columnKey, columnNames } from '../../../shared/columns.ts'
import { paths } from '../../../shared/paths.ts'
import { type ActivitiesContent, activitiesForms } from '../../../shared/screens/activities.ts'
import { Button } from '../../components/button.tsx'
import { columnTitles } from '../../components/event-columns.tsx'
import { TextField } from '../../components/field.tsx'
import { Menu } from '../../components/menu.tsx'
import { plainText } from '../../components/plain-text.ts'

/** Selects the log's columns and their widths, and stores them in the visitor's preferences. */
export function ColumnMenu({ content: { columns, saveForm } }: { content: ActivitiesContent }) {
  const widths = new Map(columns.map(column => [columnKey(column), column.widthPx]))
  const keys = [
    ...columnNames,
    ...columns.flatMap(column => ('attribute' in column ? [columnKey(column)] : [])),
  ]
  return (
    <Menu label="Columns" icon="columns" className="activities-column-menu">
      <form method="post" action={paths.activities()}>
        <input type="hidden" name="form" value={activitiesForms.columns} />
        <input type="hidden" name="view" value={saveForm.view} />
        <table>
          <caption className="visually-hidden">Log columns</caption>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Width (px)</th>
            </tr>
          </thead>
          <tbody>
            {keys.map(key => (
              <ColumnChoice key={key} id={key} chosen={widths.has(key)} widthPx={widths.get(key) ?? null} />
            ))}
          </tbody>
        </table>
        <TextField
          label="Attributes"
          name="attribute"
          hint="Attribute paths, separated by spaces, e.g. user.plan"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit">Apply</Button>
      </form>
    </Menu>
  )
}

function ColumnChoice({ id, chosen, widthPx }: { id: string; chosen: boolean; widthPx: number | null }) {
  const name = plainText(columnTitles.get(id) ?? id.slice(1))
  return (
    <tr>
      <td>
        <label className="check">
          <input type="checkbox" name="column" value={id} defaultChecked={chosen} />
          <bdi>{name}</bdi>
        </label>
      </td>
      <td>
        <input
          type="text"
          inputMode="numeric"
          name={`width-${id}`}
          aria-label={`Width of ${name} (px)`}
          defaultValue={widthPx ?? ''}
          maxLength={4}
          placeholder="auto"
        />
      </td>
    </tr>
  )
}
