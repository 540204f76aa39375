/** A request yields to others after this time. */
const yieldAfterMs = 5

const waiting: (() => void)[] = []

function wakeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(wakeNext)
}

/**
 * Resolves in a later turn of the event loop. Only one waiter continues per turn, because with `setImmediate` alone all of
 * them would continue before the process reads from a socket again.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(wakeNext)
  })
}

/** Divides the work of a request into turns of a few milliseconds. */
export function createTurns(yieldNow = nextTurn) {
  let startedMs = performance.now()
  return {
    isOver: () => performance.now() - startedMs > yieldAfterMs,
    async next(): Promise<void> {
      await yieldNow()
      startedMs = performance.now()
    },
  }
}

/** Runs a generator to its end. It may be interrupted at each `null` that it yields. */
export async function runInTurns<Result>(work: Generator<null, Result>): Promise<Result> {
  const turns = createTurns()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (turns.isOver()) await turns.next()
  }
}
