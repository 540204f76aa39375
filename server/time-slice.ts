/** Work yields to other work after this time. */
const yieldAfterMs = 5

const waiting: (() => void)[] = []

function wakeNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(wakeNext)
}

/**
 * Resolves in a later turn of the event loop. Only one caller continues per turn, because with `setImmediate` alone, all
 * callers would continue before the process reads from a socket again.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(wakeNext)
  })
}

/** Divides work into time slices of a few milliseconds. */
export function createTimeSlice(yieldNow = nextTurn) {
  let startedMs = performance.now()
  return {
    isUsedUp: () => performance.now() - startedMs > yieldAfterMs,
    async yieldToOthers(): Promise<void> {
      await yieldNow()
      startedMs = performance.now()
    },
  }
}

/** Runs a generator to completion. Each time it yields, lets other work run if the time slice is used up. */
export async function runInSlices<Result>(work: Generator<null, Result>): Promise<Result> {
  const slice = createTimeSlice()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (slice.isUsedUp()) await slice.yieldToOthers()
  }
}
