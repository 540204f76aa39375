/** The result of one measurement of a check. */
export type Result = {
  name: string
  /** The measured value, with its unit. */
  value: string
  goal: string
  isMet: boolean
  /** Whether the result depends on the machine's speed. A short run succeeds even if such a result misses its goal. */
  isTimed?: boolean
}

export type Check = {
  /** @param isShort whether to run for a few seconds instead of minutes */
  run(isShort: boolean): Promise<Result[]>
}
