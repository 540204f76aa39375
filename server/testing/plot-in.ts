import type { ChartPlot } from '../../shared/chart-plot.ts'
import type { HtmlFragment } from '../../shared/html-fragment.ts'

/** Returns the values that a chart sends to the browser. */
export function plotIn({ html = '' }: HtmlFragment): ChartPlot {
  const attribute = /data-plot='([^']*)'/.exec(html)?.[1]
  if (attribute === undefined) throw new Error('The chart has no values')
  return JSON.parse(attribute.replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&'))
}
