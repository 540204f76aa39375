/** The result of one measurement of a check. */
export type Result = {
  name: string
  /** The measured value, with its unit. */
  value: string
  goal: string
  isMet: boolean
  /** Whether the result is a duration or rate, which depends on the machine. The short form ignores whether it meets its goal. */
  isTimed?: boolean
}

export type Check = {
  name: string
  /** @param isShort runs for a few seconds instead of minutes */
  run(isShort: boolean): Promise<Result[]>
}
