import { formatCount } from '../../../shared/format.ts'
import { maxExportedEvents, paths } from '../../../shared/paths.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { Menu } from '../../components/menu.tsx'

/** Downloads the results of the search as a file. */
export function ExportMenu({ content: { q, window, total } }: { content: ActivitiesContent }) {
  // The absolute window, so that the file contains the events on the screen.
  const view = { q, range: window }
  return (
    <Menu label="Export">
      <ul>
        <li>
          <a href={paths.export({ ...view, format: 'ndjson' })} download>
            JSON lines
          </a>
        </li>
        <li>
          <a href={paths.export({ ...view, format: 'csv' })} download>
            CSV, for a spreadsheet
          </a>
        </li>
      </ul>
      <p className="menu-note muted">
        {total > maxExportedEvents
          ? `The newest ${formatCount(maxExportedEvents)} of ${formatCount(total)} events.`
          : 'All events of this search, with every field.'}
      </p>
    </Menu>
  )
}
