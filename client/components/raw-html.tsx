import type { Markup } from '../../shared/markup.ts'
import { usePage } from '../page.ts'

/** Renders an HTML fragment of the server. The browser reads its text from this element, so hydration has nothing to compare. */
export function RawHtml({ markup, className }: { markup: Markup; className?: string | undefined }) {
  const page = usePage()
  return (
    <div
      className={className}
      data-markup={markup.markup}
      // Escaped by server/charts/html.ts.
      dangerouslySetInnerHTML={{ __html: markup.html ?? page.drawn?.[markup.markup] ?? '' }}
      suppressHydrationWarning
    />
  )
}
