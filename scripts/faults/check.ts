/** The result of one measurement of a check. */
export type Result = {
  name: string
  /** With its unit. */
  value: string
  goal: string
  isMet: boolean
  /** A duration or rate depends on the machine: the short form prints it, but does not fail because of it. */
  isTimed?: boolean
}

export type Check = {
  name: string
  /** @param isShort runs for a few seconds instead of minutes */
  run(isShort: boolean): Promise<Result[]>
}
