/** The events that a webhook notifies about. */
export type WebhookConditions = {
  newFailure: boolean
  returnedFailure: boolean
  /** The share (0 to 1) of a service's requests answered with 5xx, measured over the last `overMinutes`. */
  errorRatio: { above: number; overMinutes: number } | null
}
