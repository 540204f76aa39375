/** Rounds to six digits, which display the same text and make the page smaller. */
export function roundForDisplay(value: number): number
export function roundForDisplay(value: number | null): number | null
export function roundForDisplay(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6))
}
