/**
 * HTML that the server renders as a string and React inserts unchanged, such as a chart. Rendering a string is several times
 * faster than rendering React elements, and React neither renders nor hydrates the HTML in the browser.
 *
 * The page contains the HTML only once: hydration data omits it, and the browser reads it from the element with the
 * fragment's name (`client/read-page.ts`).
 */
export type HtmlFragment = { name: string; html?: string }

/** Creates a fragment. `name` must be unique on the page. */
export function htmlFragment(name: string, html: string): HtmlFragment {
  // Not enumerable, so that JSON.stringify omits it from hydration data.
  return Object.defineProperty<HtmlFragment>({ name }, 'html', { value: html })
}
