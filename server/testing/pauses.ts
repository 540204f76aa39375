/** Returns a generator's items without its pauses (`null`). */
export function withoutPauses<Item>(items: Iterable<Item | null>): Item[] {
  return [...items].flatMap(item => (item === null ? [] : [item]))
}

/** Runs a generator without interruption. Returns its result and the number of pauses. */
export function runToEnd<Result>(work: Generator<null, Result>): { result: Result; pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next()
    if (step.done === true) return { result: step.value, pauses }
  }
}
