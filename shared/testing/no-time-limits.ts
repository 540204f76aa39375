/** Runs before the program. Shorter timers are delays, which the program needs. */
const code = `
const { setTimeout } = globalThis
globalThis.setTimeout = (call, ms, ...values) => setTimeout(call, ms > 1000 ? 2 ** 31 - 1 : ms, ...values)`

/**
 * Environment variables for a Node.js process whose timers longer than a second never fire. Otherwise, a test could fail
 * because a busy machine pauses it for longer than a time limit of the process.
 */
export const noTimeLimits = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
}
