export type RequestMetrics = {
  requests: number
  /** Requests with a status of 500 or above. */
  errors: number
  /** Requests per second over the window. */
  rate: number
  errorRatio: number | null
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
}
