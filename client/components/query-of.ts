/** The query parameters of a URL as hidden fields, because a form with GET replaces the query string of its action. */
export function queryOf(href: string): Record<string, string> {
  return Object.fromEntries(new URL(href, 'http://sixpane.invalid').searchParams)
}
