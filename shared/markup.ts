/**
 * A piece of a page that the server draws as text and the browser takes as it is: charts and their tables.
 * React puts it in place and never looks inside: on the server that is several times faster than elements,
 * and the browser has no drawing code to load and nothing to hydrate.
 *
 * The text stands once in a page, where it shows: it is left out of the content that hydration reads, and the
 * browser takes it from the element that is named after it (see `client/read-page.ts`).
 */
export type Markup = { markup: string; html?: string }

/** Names a drawn text. `name` must be the only one of its kind on the page. */
export function drawn(name: string, html: string): Markup {
  // Not enumerable: JSON.stringify leaves it out, so that the page does not carry it twice.
  return Object.defineProperty<Markup>({ markup: name }, 'html', { value: html })
}
