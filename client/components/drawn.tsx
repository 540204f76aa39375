import type { Markup } from '../../shared/markup.ts'
import { usePage } from '../page.ts'

/** Puts in place what the server drew. In the browser the text was read from this very element: nothing to compare. */
export function Drawn({ markup, className }: { markup: Markup; className?: string | undefined }) {
  const page = usePage()
  return (
    <div
      className={className}
      data-markup={markup.markup}
      // Escaped where it is drawn: server/charts/html.ts.
      dangerouslySetInnerHTML={{ __html: markup.html ?? page.drawn?.[markup.markup] ?? '' }}
      suppressHydrationWarning
    />
  )
}
