import { createJoiner, type Joined } from './join-lines.ts'
import { createRepeatDetector } from './repeats.ts'

type Joiner = ReturnType<typeof createJoiner>

/** If lines of more containers arrive, those of the first container are emitted without waiting for more. */
const maxJoiners = 100

/** Joins the lines of each container separately, because containers print at the same time. Omits repeated errors. */
export function createContainerJoiners(onJoined: (joined: Joined) => void) {
  const joiners = new Map<string, Joiner>()

  const create = (): Joiner => {
    const isRepeat = createRepeatDetector()
    return createJoiner(joined => {
      if (!isRepeat(joined)) onJoined(joined)
    })
  }

  return {
    /** Returns the joiner of a container. Lines without a container share one. */
    get(container = ''): Joiner {
      const [first] = joiners
      if (first !== undefined && joiners.size >= maxJoiners && !joiners.has(container)) {
        first[1].flush()
        joiners.delete(first[0])
      }
      const joiner = joiners.get(container) ?? create()
      joiners.set(container, joiner)
      return joiner
    },
    /** Emits the pending lines of all containers. */
    flush(): void {
      for (const joiner of joiners.values()) joiner.flush()
    },
  }
}
