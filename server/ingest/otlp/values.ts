/** Maximum nesting depth. Deeper values are replaced with `[deeper]`. Events store fewer levels. */
export const maxDepth = 32

/**
 * The number of values that may still be read from a record. Reading more values than an event stores (events/clean.ts)
 * would waste time.
 */
export type ValueBudget = { values: number }

export function createBudget(): ValueBudget {
  return { values: 20_000 }
}

/** Subtracts one value from the budget. Returns `false` if the budget is used up. */
export function spendValue(budget: ValueBudget): boolean {
  budget.values -= 1
  return budget.values >= 0
}

/** Converts a 64-bit integer to a number if that preserves its value, otherwise to text. */
export function integer(value: bigint | string): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/** Converts NaN and the infinities to text, because JSON does not support them. */
export function double(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}
