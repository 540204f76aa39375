import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'

/** Pauses between checks, so that the work under test gets the CPU. */
const pauseMs = 10
/** No condition takes this long, even on a busy machine. A test that would wait forever fails where it waits. */
const maxWaitMs = 120_000

/**
 * Polls a value until it meets a condition; by default, until it is truthy. Returns the value. Throws an error after two
 * minutes.
 */
export async function until<T>(
  read: () => T | Promise<T>,
  isMet: (value: T) => boolean = Boolean,
): Promise<T> {
  const endMs = performance.now() + maxWaitMs
  for (;;) {
    const value = await read()
    if (isMet(value)) return value
    if (performance.now() > endMs) {
      const lastValue = inspect(value, { maxStringLength: 2000 })
      throw new Error(
        `The condition was not met within ${maxWaitMs / 1000} s. The last value was ${lastValue}`,
      )
    }
    await setTimeout(pauseMs)
  }
}
