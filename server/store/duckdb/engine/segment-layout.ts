import type { Migrations } from './migrate.ts'

/** The layout of a segment: events, the idempotency keys of the requests that sent them, search filters and summaries. */
export const segmentLayout: Migrations = [
  [
    // `append.ts` writes the columns in this order. A migration adds its columns at the end.
    `CREATE TABLE event (
      id BIGINT NOT NULL,
      time_us BIGINT NOT NULL,
      severity UTINYINT NOT NULL,
      service VARCHAR NOT NULL,
      release VARCHAR,
      source VARCHAR NOT NULL,
      body VARCHAR NOT NULL,
      request_id VARCHAR,
      trace_id VARCHAR,
      span_id VARCHAR,
      method VARCHAR,
      route VARCHAR,
      status INTEGER,
      duration_ms DOUBLE,
      exception_type VARCHAR,
      exception_message VARCHAR,
      exception_stack VARCHAR,
      digest VARCHAR,
      fingerprint VARCHAR,
      attributes VARCHAR NOT NULL
    )`,
  ],
  // See `EventStore.claimRequests`.
  ['CREATE TABLE request (key VARCHAR NOT NULL, accepted_ms BIGINT NOT NULL)'],
  // See `filters/block-filter.ts`. A migration that changes the format must delete the rows, so that the filters are
  // rebuilt.
  ['CREATE TABLE search_filter (after_id BIGINT NOT NULL, last_id BIGINT NOT NULL, filter BLOB NOT NULL)'],
  // See `stored-summaries.ts`. A migration that changes the format must delete the rows, so that the segments are summarised
  // again.
  [
    'CREATE TABLE summary (kind VARCHAR NOT NULL, events BIGINT NOT NULL, content BLOB NOT NULL)',
    `CREATE TABLE service_summary (
      from_us BIGINT NOT NULL,
      service VARCHAR NOT NULL,
      release VARCHAR,
      source VARCHAR NOT NULL,
      count BIGINT NOT NULL,
      first_us BIGINT NOT NULL,
      last_us BIGINT NOT NULL
    )`,
  ],
]
