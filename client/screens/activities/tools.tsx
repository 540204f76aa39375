import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { Icon } from '../../components/icon.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { hasFacets } from './facets.tsx'
import { SavedSearchesMenu } from './saved-searches-menu.tsx'

const toolsId = 'log-tools'

/** The menus of the log. On narrow screens, they are in a popover that `ToolsButton` opens. */
export function Tools({ content }: { content: ActivitiesContent }) {
  return (
    <div id={toolsId} className="activities-tools" popover="auto">
      {hasFacets(content) && (
        <a className="activities-to-filters" href="#filters">
          <Icon name="filter" />
          Filters
        </a>
      )}
      {content.zoomOutHref !== null && (
        <a className="activities-widen" href={content.zoomOutHref}>
          <Icon name="widen" />
          Widen time range
        </a>
      )}
      {content.ownEvents !== null && (
        <a className="activities-own" href={content.ownEvents.href}>
          {content.ownEvents.shown ? 'Hide' : 'Show'} Sixpane’s own events
        </a>
      )}
      <ColumnMenu content={content} />
      <SavedSearchesMenu content={content} />
      <ExportMenu content={content} />
    </div>
  )
}

/** Opens the tools on narrow screens. Wider screens always show the tools, and hide this button. */
export function ToolsButton() {
  return (
    <button type="button" className="button activities-more" popoverTarget={toolsId} title="More">
      <Icon name="more" />
      <span className="visually-hidden">More</span>
    </button>
  )
}
