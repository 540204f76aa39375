/** Rounds to six digits. This does not change the displayed text, but makes the page smaller. */
export function roundForDisplay(value: number): number
export function roundForDisplay(value: number | null): number | null
export function roundForDisplay(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6))
}
