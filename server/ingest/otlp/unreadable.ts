import type { ReadItem, Scoped } from './model.ts'

/** Reads an item, or says why it can't be read. */
export function orReason<Item>(read: () => Scoped<Item>): ReadItem<Item> {
  try {
    return read()
  } catch (error) {
    return { reason: wordsOf(error) }
  }
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
