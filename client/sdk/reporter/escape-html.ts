/** Escapes text for an HTML element. An error's digest may be any text, because the application can set it. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
