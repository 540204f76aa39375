import { type Span, spanLengthMs } from '../../shared/range.ts'

/** The parts of SQL in which the reference engines differ. */
export type Dialect = {
  /** Returns the condition that an event's text contains a phrase. */
  containsPhrase: (phrase: string) => string
  isPlan: (plan: string) => string
  bucket: (bucketMs: number) => string
  isServerError: string
  durationQuantiles: string
}

export const duckDbDialect: Dialect = {
  containsPhrase: phrase => `body ILIKE '%${phrase}%'`,
  isPlan: plan => `json_extract_string(attributes, '$.user.plan') = '${plan}'`,
  bucket: bucketMs => `time_ms // ${bucketMs}`,
  isServerError: 'count(*) FILTER (status >= 500)',
  durationQuantiles: 'approx_quantile(duration_ms, [0.5, 0.95, 0.99])',
}

export const chDbDialect: Dialect = {
  containsPhrase: phrase =>
    `hasAllTokens(body, '${phrase}') AND positionCaseInsensitive(body, '${phrase}') > 0`,
  isPlan: plan => `JSONExtractString(attributes, 'user', 'plan') = '${plan}'`,
  bucket: bucketMs => `intDiv(time_ms, ${bucketMs})`,
  isServerError: 'countIf(status >= 500)',
  durationQuantiles: 'quantilesTDigest(0.5, 0.95, 0.99)(duration_ms)',
}

/** The data that /activities shows for a search: the newest events, and counts by time and severity. */
export function searchSql({ bucket }: Dialect, where: string, span: Span, nowMs: number): string[] {
  const condition = `time_ms >= ${nowMs - spanLengthMs(span)} AND ${where}`
  const bucketText = bucket(spanLengthMs(span) / 60)
  return [
    `SELECT time_ms, severity, service, body, request_id, route, status, duration_ms FROM event WHERE ${condition} ORDER BY time_ms DESC LIMIT 100`,
    `SELECT ${bucketText} AS bucket, severity, count(*) FROM event WHERE ${condition} GROUP BY bucket, severity`,
  ]
}

/** The data that the dashboard shows for requests: counts, errors and durations, by time and by route. */
export function dashboardSql(dialect: Dialect, span: Span, nowMs: number): string[] {
  const { bucket, isServerError, durationQuantiles } = dialect
  const columns = `count(*), ${isServerError}, ${durationQuantiles}`
  const from = `FROM event WHERE time_ms >= ${nowMs - spanLengthMs(span)}`
  return [
    `SELECT ${bucket(spanLengthMs(span) / 60)} AS bucket, ${columns} ${from} GROUP BY bucket`,
    `SELECT route, ${columns} ${from} GROUP BY route`,
  ]
}
