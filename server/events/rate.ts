const seconds = 10

/** Counts in one-second slots, and computes the average rate over the last ten seconds. */
export function createRate(nowMs: () => number = () => performance.now()) {
  const slots = new Array<number>(seconds).fill(0)
  let current = Math.floor(nowMs() / 1000)

  const advance = () => {
    const second = Math.floor(nowMs() / 1000)
    for (let each = Math.max(current + 1, second - seconds + 1); each <= second; each += 1)
      slots[each % seconds] = 0
    current = second
  }
  return {
    add(count: number) {
      advance()
      slots[current % seconds] = (slots[current % seconds] ?? 0) + count
    },
    perSecond() {
      advance()
      return slots.reduce((sum, slot) => sum + slot, 0) / seconds
    },
  }
}
