/** The events that a webhook reports. */
export type WebhookConditions = {
  newFailure: boolean
  returnedFailure: boolean
  /** The share (0 to 1) of a service's requests that got a 5xx response in the last `overMinutes`. */
  errorRatio: { above: number; overMinutes: number } | null
}
