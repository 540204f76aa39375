import { mostEvents } from '../ingest-request.ts'
import { RefusedBodyError } from '../read-body.ts'
import type { Labels } from './labels.ts'

/** One line of a push, or why there is none. */
export type Entry = { timeUnixNano: string; line: string; metadata: Labels | null } | { reason: string }

/** What shares its labels. */
export type Stream = { labels: Labels; entries: Iterable<Entry> }

/** Why a request with more than one request may bring is refused as a whole. */
export function tooMany(what: 'entries' | 'streams'): RefusedBodyError {
  return new RefusedBodyError(
    413,
    `The body has more than ${mostEvents} ${what}: send it in several requests`,
  )
}
