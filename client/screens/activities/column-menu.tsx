import { type Column, columnKey, columnNames } from '../../../shared/columns.ts'
import { type ActivitiesContent, activitiesForms } from '../../../shared/screens/activities.ts'
import { Button } from '../../components/button.tsx'
import { columnTitles } from '../../components/event-columns.tsx'
import { TextField } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/menu.tsx'
import { plainText } from '../../components/plain-text.ts'
import { LogForm } from './log-form.tsx'

/** Selects the log's columns and their widths, and stores them in the visitor's preferences. */
export function ColumnMenu({ content: { columns } }: { content: ActivitiesContent }) {
  const widths = new Map(columns.map(column => [columnKey(column), column.widthPx]))
  const keys = [...new Set([...widths.keys(), ...columnNames])]
  return (
    <Menu label="Columns" icon="columns" className="activities-column-menu">
      <LogForm form={activitiesForms.columns}>
        {/* Applies the choice. Must be the first button, because pressing Enter in a field activates it. */}
        <button type="submit" className="button-default" />
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
              <ColumnChoice key={key} id={key} columns={columns} />
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
      </LogForm>
    </Menu>
  )
}

function ColumnChoice({ id, columns }: { id: string; columns: readonly Column[] }) {
  const index = columns.findIndex(column => columnKey(column) === id)
  const name = plainText(columnTitles.get(id) ?? id.slice(1))
  return (
    <tr>
      <td>
        <label className="check">
          <input type="checkbox" name="column" value={id} defaultChecked={index >= 0} />
          <bdi>{name}</bdi>
        </label>
        {index > 0 && (
          <button type="submit" name="forward" value={id} aria-label={`Move ${name} left`}>
            <Icon name="left" />
          </button>
        )}
      </td>
      <td>
        <input
          type="text"
          inputMode="numeric"
          name={`width-${id}`}
          aria-label={`Width of ${name} (px)`}
          defaultValue={columns[index]?.widthPx ?? ''}
          maxLength={4}
          placeholder="auto"
        />
      </td>
    </tr>
  )
}
