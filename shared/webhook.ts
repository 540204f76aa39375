/** What a webhook reports. */
export type WebhookConditions = {
  newFailure: boolean
  returnedFailure: boolean
  /**
   * Reports a service if its share of requests with a 5xx response in the last `overMinutes` minutes is greater than
   * `above` (0 to 1).
   */
  errorRatio: { above: number; overMinutes: number } | null
}
