import type { HtmlFragment } from '../../shared/html-fragment.ts'
import { usePage } from '../page.ts'

/** Inserts server-rendered HTML. The browser reads the HTML from this element, so hydration does not compare it. */
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
