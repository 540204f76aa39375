/** The period over which the rate is averaged. */
const periodMs = 5_000

/** Measures the number of new events per second. Times are in milliseconds. */
export class EventRate {
  #arrivals: { atMs: number; count: number }[] = []

  add(count: number, nowMs: number): void {
    this.#arrivals.push({ atMs: nowMs, count })
  }

  /** Events per second, averaged since the first event, but over at least one second and at most the last five. */
  perSecond(nowMs: number): number {
    this.#arrivals = this.#arrivals.filter(({ atMs }) => atMs > nowMs - periodMs)
    const [first] = this.#arrivals
    if (first === undefined) return 0
    const count = this.#arrivals.reduce((sum, each) => sum + each.count, 0)
    return (count * 1000) / Math.max(nowMs - first.atMs, 1000)
  }
}
