import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { Charts } from '../../components/charts.tsx'
import { RawHtml } from '../../components/raw-html.tsx'
import { hrefOfWindow } from './links.ts'

/** The histogram. Each bar links to the same search in the bar's time range. */
export function Histogram({ content }: { content: ActivitiesContent }) {
  if (content.histogram === null) return null
  return (
    <Charts className="activities-histogram" hrefOfWindow={window => hrefOfWindow(content, window)}>
      <RawHtml fragment={content.histogram} />
    </Charts>
  )
}
