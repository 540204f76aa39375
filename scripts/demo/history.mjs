// @ts-check
import { randomBytes } from 'node:crypto'

/** @typedef {Record<string, unknown> & { time: number, traceId?: string, err?: { type: string } }} Line */

/** When the release with the cart bug was deployed, as a fraction of the history. */
const deployedAt = 0.6

/** Generates a history by repeating the lines of a few real visits with different times and ids. */
export function createHistory() {
  /** The lines of each visit, by trace id. @type {Map<string, Line[]>} */
  const visits = new Map()

  return {
    /** @param {string} text */
    write(text) {
      /** @type {Line} */
      const line = JSON.parse(text)
      if (line.traceId === undefined) return
      const lines = visits.get(line.traceId)
      if (lines === undefined) visits.set(line.traceId, [line])
      else lines.push(line)
    },
    /**
     * @param {{ untilMs: number, minutes: number, rate: number }} span `rate` in visits per second
     * @returns {Generator<string>} JSON lines, roughly in the order of their times
     */
    *lines({ untilMs, minutes, rate }) {
      const models = [...visits.values()]
      const spanMs = minutes * 60_000
      const count = (spanMs / 1000) * rate
      for (let number = 0; number < count; number++) {
        const part = number / count
        const model = models[number % models.length] ?? []
        // The older release does not have the cart bug.
        if (part < deployedAt && model.some(({ err }) => err?.type === 'TypeError')) continue
        yield* repeat(model, untilMs - spanMs * (1 - part), part < deployedAt)
      }
    },
  }
}

/** @param {Line[]} model @param {number} timestampMs @param {boolean} isBefore whether the visit is before the deployment */
function* repeat(model, timestampMs, isBefore) {
  const ids = { reqId: randomBytes(6).toString('hex'), traceId: randomBytes(16).toString('hex') }
  const firstMs = Math.min(...model.map(({ time }) => time))
  const pace = 0.6 + Math.random()
  for (const line of model) {
    const version = isBefore && line.name === 'shop-web' ? '2.8.0' : line.version
    const durationMs =
      typeof line.durationMs === 'number' ? Math.round(line.durationMs * pace * 10) / 10 : undefined
    const time = Math.round(timestampMs + (line.time - firstMs) * pace)
    yield `${JSON.stringify({ ...line, ...ids, time, version, durationMs })}\n`
  }
}
