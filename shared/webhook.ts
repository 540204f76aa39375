/** What a webhook reports. */
export type WebhookConditions = {
  newFailure: boolean
  returnedFailure: boolean
  /**
   * Reports a service if more than the share `above` (0 to 1) of its requests got a 5xx response in the last `overMinutes`
   * minutes.
   */
  errorRatio: { above: number; overMinutes: number } | null
}
