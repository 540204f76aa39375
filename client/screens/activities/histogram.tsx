import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { Charts } from '../../components/charts.tsx'
import { RawHtml } from '../../components/raw-html.tsx'
import { hrefOfWindow } from './links.ts'

/** The histogram. A bar is a link that zooms to its time. */
export function Histogram({ content }: { content: ActivitiesContent }) {
  if (content.histogram === null) return null
  return (
    <Charts className="activities-histogram" hrefOfWindow={window => hrefOfWindow(content, window)}>
      <RawHtml fragment={content.histogram} />
    </Charts>
  )
}
