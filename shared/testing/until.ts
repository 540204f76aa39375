import { setTimeout } from 'node:timers/promises'

/** Pauses between checks, so that the work under test gets the CPU. */
const pauseMs = 10

/** Polls a value until it meets a condition; by default, until it is truthy. Returns the value. */
export async function until<T>(
  read: () => T | Promise<T>,
  isMet: (value: T) => boolean = Boolean,
): Promise<T> {
  for (;;) {
    const value = await read()
    if (isMet(value)) return value
    await setTimeout(pauseMs)
  }
}
