import { createJoiner, type Joined } from './join-lines.ts'
import { createRepeatDetector } from './repeats.ts'

type Joiner = ReturnType<typeof createJoiner>

/** Maximum number of joiners. To make room for another, the oldest joiner emits its pending lines and is removed. */
const maxJoiners = 100

/**
 * Joins the lines of each container separately, because containers print at the same time. Omits repeated errors.
 * @param now the clock for `flush`, in milliseconds
 */
export function createContainerJoiners(onJoined: (joined: Joined) => void, now: () => number) {
  const joiners = new Map<string, { joiner: Joiner; usedMs: number }>()

  const add = (container: string) => {
    const [first] = joiners
    if (first !== undefined && joiners.size >= maxJoiners) {
      first[1].joiner.flush()
      joiners.delete(first[0])
    }
    const isRepeat = createRepeatDetector()
    const joiner = createJoiner(joined => {
      if (!isRepeat(joined)) onJoined(joined)
    })
    const added = { joiner, usedMs: 0 }
    joiners.set(container, added)
    return added
  }

  return {
    /** Returns the joiner of a container. Lines without a container share one. */
    get(container = ''): Joiner {
      const used = joiners.get(container) ?? add(container)
      used.usedMs = now()
      return used.joiner
    },
    /** Emits the pending lines of the containers that have printed nothing for at least `idleMs`. */
    flush(idleMs: number): void {
      const untilMs = now() - idleMs
      for (const { joiner, usedMs } of joiners.values()) if (usedMs <= untilMs) joiner.flush()
    },
  }
}
