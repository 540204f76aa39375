/** Rounds to six digits. The displayed text is the same, and the page is smaller. */
export function roundForDisplay(value: number): number
export function roundForDisplay(value: number | null): number | null
export function roundForDisplay(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6))
}
