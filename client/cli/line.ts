/** An input line, without its line break. */
export type Line = {
  text: string
  /** Arrival time, in milliseconds since 1970-01-01 UTC. */
  timeMs: number
  /** The time that a container runtime recorded. */
  writtenMs?: number
  /** The name of the container, if it is known. */
  container?: string
}
