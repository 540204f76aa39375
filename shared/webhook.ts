/** The events that a webhook notifies about. */
export type WebhookConditions = {
  newFailure: boolean
  returnedFailure: boolean
  /** Share of a service's requests answered with 5xx, 0 to 1, over the last minutes. */
  errorRatio: { above: number; overMinutes: number } | null
}
