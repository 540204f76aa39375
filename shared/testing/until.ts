import { setTimeout } from 'node:timers/promises'

/** Pauses between checks, so that the work under test gets the CPU. */
const pauseMs = 10

/** Reads a value again and again until it is enough, by default until it is truthy. Returns that value. */
export async function until<T>(
  read: () => T | Promise<T>,
  isEnough: (value: T) => boolean = Boolean,
): Promise<T> {
  for (;;) {
    const value = await read()
    if (isEnough(value)) return value
    await setTimeout(pauseMs)
  }
}
