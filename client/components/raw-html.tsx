import type { HtmlFragment } from '../../shared/html-fragment.ts'
import { usePage } from '../page.ts'

/** Renders an HTML fragment of the server. The browser reads its text from this element, so hydration has nothing to compare. */
export function RawHtml({ fragment, className }: { fragment: HtmlFragment; className?: string | undefined }) {
  const page = usePage()
  return (
    <div
      className={className}
      data-fragment={fragment.name}
      // Escaped by server/charts/html.ts.
      dangerouslySetInnerHTML={{ __html: fragment.html ?? page.fragments?.[fragment.name] ?? '' }}
      suppressHydrationWarning
    />
  )
}
