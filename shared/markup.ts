/**
 * A piece of a page that the server draws as text and the browser takes as it is: charts and their tables.
 * React puts it in place and never looks inside, on the server (string, not elements: several times faster)
 * and in the browser (no drawing code to load, nothing to hydrate). In the page it stands once: the content
 * that hydration reads names it, and `readContent` takes the text from the element that shows it.
 */
export type Markup = { markup: string; html: string }

function isMarkup(value: unknown): value is Markup {
  return typeof value === 'object' && value !== null && 'markup' in value && 'html' in value
}

/** `JSON.stringify` replacer: leaves out the text of every piece of markup. */
export function withoutMarkup(_key: string, value: unknown): unknown {
  return isMarkup(value) ? { markup: value.markup, html: '' } : value
}

/** `JSON.parse` reviver: fills in the text of every piece of markup with what `read` gives for its name. */
export function withMarkup(read: (name: string) => string): (key: string, value: unknown) => unknown {
  return (_key, value) => (isMarkup(value) ? { markup: value.markup, html: read(value.markup) } : value)
}
