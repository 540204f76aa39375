// @ts-check
// Loaded into a server with --import. Each SIGUSR2 moves the clock by the next value in CLOCK_JUMPS_MS.
const jumpsMs = (process.env.CLOCK_JUMPS_MS ?? '').split(',').map(Number)
let offsetMs = 0
const { now } = Date

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now() + offsetMs] : values, newTarget),
  get: (target, name, receiver) =>
    name === 'now' ? () => now() + offsetMs : Reflect.get(target, name, receiver),
})

process.on('SIGUSR2', () => {
  offsetMs += jumpsMs.shift() ?? 0
})
