/** An input line, without its line break. */
export type Line = {
  text: string
  /** The number of lines before it in the input. If a line was split, this applies to its first part. */
  position: number
  /** The number of characters that were cut off because the line is too long. */
  cutLength?: number
  /** Arrival time, in milliseconds since 1970-01-01 UTC. */
  timeMs: number
  /** The time that a container runtime recorded. */
  writtenMs?: number
  /** The name of the container, if it is known. */
  container?: string
  /** The stream to which the program wrote, if a container runtime recorded it. */
  stream?: string
}
