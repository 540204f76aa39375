// @ts-check
/**
 * Stops a process's clock at FIXED_CLOCK_MS: `node --import ./fixed-clock.mjs`. Does not affect durations
 * (`performance.now`, timers).
 */
const nowMs = Number(process.env.FIXED_CLOCK_MS)
if (!Number.isSafeInteger(nowMs)) throw new Error('FIXED_CLOCK_MS must be a time in ms')

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [nowMs] : values, newTarget),
  apply: () => new Date(nowMs).toString(),
  get: (target, name, receiver) => (name === 'now' ? () => nowMs : Reflect.get(target, name, receiver)),
})
