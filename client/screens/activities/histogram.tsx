import { useRef } from 'react'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { RawHtml } from '../../components/raw-html.tsx'
import { hrefOfWindow } from './links.ts'
import { useTimeSelection } from './use-time-selection.ts'

/** The histogram. Clicking a bar zooms to its time. Dragging, or Shift with the arrow keys, selects several bars. */
export function Histogram({ content }: { content: ActivitiesContent }) {
  const frame = useRef<HTMLDivElement>(null)
  const selection = useTimeSelection(frame, window => location.assign(hrefOfWindow(content, window)))
  if (content.histogram === null) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element fits a time selection
    <div
      ref={frame}
      className="activities-histogram"
      role="group"
      aria-label="Select a time range. Arrow keys move, Shift extends, Enter zooms."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: handles the arrow keys
      tabIndex={0}
      {...selection}
    >
      <RawHtml fragment={content.histogram} />
    </div>
  )
}
