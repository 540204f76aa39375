import type { HtmlFragment } from '../../shared/html-fragment.ts'
import { usePage } from '../page.ts'

/** Inserts server-rendered HTML. Hydration does not compare the HTML, because the browser reads it from this element. */
export function RawHtml({ fragment, className }: { fragment: HtmlFragment; className?: string | undefined }) {
  const page = usePage()
  return (
    <div
      className={className}
      data-fragment={fragment.name}
      // Escaped by server/html/html.ts.
      dangerouslySetInnerHTML={{ __html: fragment.html ?? page.fragments?.[fragment.name] ?? '' }}
      suppressHydrationWarning
    />
  )
}
