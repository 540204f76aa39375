/** One line of the input, without its end. */
export type Line = {
  text: string
  /** When it arrived: milliseconds since 1970-01-01 UTC. */
  timeMs: number
}
