import type { HtmlFragment } from '../../../shared/html-fragment.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { RawHtml } from '../../components/raw-html.tsx'
import { Histogram } from './histogram.tsx'
import { hrefOfSearch } from './links.ts'

/** The histogram with a table of its values. */
export function HistogramTable({ content, table }: { content: ActivitiesContent; table: HtmlFragment }) {
  return (
    <>
      <Histogram content={content} />
      <p>
        <a href={hrefOfSearch(content, content.q)}>View the log</a>
      </p>
      <RawHtml fragment={table} className="chart-table" />
    </>
  )
}
