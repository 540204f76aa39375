/** Formats a time with its microseconds, which order events within the same millisecond. */
export function isoTime(timeMs: number): string {
  const micros = Math.round(timeMs * 1000)
  const wholeMs = Math.floor(micros / 1000)
  const rest = micros - wholeMs * 1000
  const text = new Date(wholeMs).toISOString()
  return rest === 0 ? text : text.replace('Z', `${String(rest).padStart(3, '0')}Z`)
}
