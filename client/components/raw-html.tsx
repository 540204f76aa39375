import type { HtmlFragment } from '../../shared/html-fragment.ts'
import { usePage } from '../page.ts'

/** Inserts an HTML fragment from the server. In the browser, the HTML comes from this element, so hydration does not compare it. */
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
