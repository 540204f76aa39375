import { createJoiner, type Joined } from './join-lines.ts'
import type { Line } from './line.ts'
import { createRepeatDetector } from './repeats.ts'

type Joiner = ReturnType<typeof createJoiner>

/** Maximum number of joiners. To make room for another, the oldest joiner emits its pending lines and is removed. */
const maxJoiners = 100
/**
 * Programs print a stack trace all at once. The time between two of its lines exceeds this limit only if the container
 * runtime was paused.
 */
const maxGapMs = 1000

/**
 * Joins the lines of each container and stream separately, because they are written at the same time. Omits repeated errors.
 * @param now the clock for `flush`, in milliseconds
 */
export function createContainerJoiners(onJoined: (joined: Joined) => void, now: () => number) {
  const joiners = new Map<string, { joiner: Joiner; usedMs: number; writtenMs: number }>()

  const add = (name: string) => {
    const [first] = joiners
    if (first !== undefined && joiners.size >= maxJoiners) {
      first[1].joiner.flush()
      joiners.delete(first[0])
    }
    const isRepeat = createRepeatDetector()
    const joiner = createJoiner(joined => {
      if (!isRepeat(joined)) onJoined(joined)
    })
    const added = { joiner, usedMs: 0, writtenMs: Number.NaN }
    joiners.set(name, added)
    return added
  }

  return {
    /**
     * Returns the joiner for the next line. Lines without a container or stream share one. Emits the pending lines that were
     * written long before this line, even if they have only just been read from a file.
     */
    get({ container = '', stream = '', writtenMs = Number.NaN }: Line): Joiner {
      for (const each of joiners.values()) if (writtenMs - each.writtenMs > maxGapMs) each.joiner.flush()
      const name = `${container} ${stream}`
      const used = joiners.get(name) ?? add(name)
      used.usedMs = now()
      used.writtenMs = writtenMs
      return used.joiner
    },
    /** Returns the position of the first pending line, or infinity. */
    pendingFrom(): number {
      let position = Infinity
      // Runs for each line, so it creates no arrays.
      for (const { joiner } of joiners.values()) position = Math.min(position, joiner.pendingFrom())
      return position
    },
    /** Emits the pending lines that were written to containers or streams without any other line for at least `idleMs`. */
    flush(idleMs: number): void {
      const untilMs = now() - idleMs
      for (const { joiner, usedMs } of joiners.values()) if (usedMs <= untilMs) joiner.flush()
    },
  }
}
