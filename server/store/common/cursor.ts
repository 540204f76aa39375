/** The key of an event in the order of pages. */
export type Cursor = { timeUs: number; id: number }

/** A cursor as the screens carry it: opaque to them. */
export function writeCursor({ timeUs, id }: Cursor): string {
  return `${timeUs.toString(36)}.${id.toString(36)}`
}

/**
 * Reads a cursor. What no page can have given counts as none, so that a link that was cut or typed by hand
 * leads to the first page and never to a failure.
 */
export function readCursor(text: string | undefined): Cursor | null {
  const match = /^(-?[0-9a-z]{1,11})\.(-?[0-9a-z]{1,11})$/.exec(text ?? '')
  if (match === null) return null
  const [timeUs = Number.NaN, id = Number.NaN] = match.slice(1).map(part => Number.parseInt(part, 36))
  return Number.isSafeInteger(timeUs) && Number.isSafeInteger(id) ? { timeUs, id } : null
}
