/** Converts decimal text to a number, as the engine's `TRY_CAST` does. Returns `null` for other text. */
export function toNumber(text: string): number | null {
  return /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) ? Number(text) : null
}
