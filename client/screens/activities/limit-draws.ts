/**
 * Collects items, and passes them to `draw` at most once per interval. The first item is passed immediately.
 * @param wait calls its argument after the interval; returns a function that cancels the call
 */
export function limitDraws<Item>(
  draw: (items: Item[]) => void,
  wait: (end: () => void) => () => void,
): { add(item: Item): void; stop(): void } {
  let items: Item[] = []
  let cancel: (() => void) | null = null
  const flush = () => {
    const due = items
    items = []
    // After an interval without items, the next item is drawn immediately.
    cancel = due.length === 0 ? null : wait(flush)
    if (due.length > 0) draw(due)
  }
  return {
    add(item) {
      items.push(item)
      if (cancel === null) flush()
    },
    stop: () => cancel?.(),
  }
}
