import { maxExportedEvents } from '../../../shared/export-format.ts'
import { formatCount } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { Menu } from '../../components/menu.tsx'

/** Downloads the search results as a file. */
export function ExportMenu({ content: { q, window, total, urlColumns } }: { content: ActivitiesContent }) {
  // The window is absolute, so the file covers the same period as the screen.
  const view = { q, range: window }
  return (
    <Menu label="Export" icon="export">
      <ul>
        <li>
          <a href={paths.export({ ...view, format: 'ndjson' })} download>
            NDJSON
          </a>
        </li>
        <li>
          <a href={paths.export({ ...view, columns: urlColumns, format: 'csv' })} download>
            CSV
          </a>
        </li>
      </ul>
      <p className="menu-note muted">
        {total > maxExportedEvents
          ? `Exports the newest ${formatCount(maxExportedEvents)} of ${formatCount(total)} events.`
          : `Exports ${total === 1 ? 'the matching event' : `all ${formatCount(total)} matching events`} with every field.`}
      </p>
    </Menu>
  )
}
