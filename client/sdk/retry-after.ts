/**
 * Parses seconds or a date: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 * @returns milliseconds; 0 if the header is missing or invalid
 */
export function parseRetryAfter(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0)
}
