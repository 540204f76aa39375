/** Escapes text for an HTML element, because the application may choose the digest of an error. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
