// @ts-check
/**
 * Stops the clock of a process at FIXED_CLOCK_MS: `node --import ./fixed-clock.mjs`. Durations
 * (`performance.now`, timers) are not affected.
 */
const nowMs = Number(process.env.FIXED_CLOCK_MS)
if (!Number.isSafeInteger(nowMs)) throw new Error('FIXED_CLOCK_MS must be a time in ms')

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [nowMs] : values, newTarget),
  apply: () => new Date(nowMs).toString(),
  get: (target, name, receiver) => (name === 'now' ? () => nowMs : Reflect.get(target, name, receiver)),
})
