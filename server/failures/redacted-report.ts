import { createHash } from 'node:crypto'
import type { NewEvent } from '../../shared/event.ts'
import { bareDigest } from '../store/common/digest.ts'

/**
 * Matches the start of each message that React shows instead of a server error's message. In production builds, React shows
 * only the number (https://react.dev/errors/441, https://react.dev/errors/419).
 */
const redactedMessage =
  /^(?:Minified React error #(?:419|441)(?!\d)|An error occurred in the Server Components render|The server could not finish this Suspense boundary)/

/** Matches each message that a module of Sixpane shows instead of a server error's message. */
const replacedMessage = /^(Internal (?:Server )?Error)\. Digest: ([\da-f]{12})$/

/**
 * Returns a browser event unchanged, unless it is a redacted report of a server failure: an error that has a digest, and
 * whose message React or a module of Sixpane replaced. Such a report gets the fingerprint of its digest, and loses its stack
 * and the rest of its message, because its stack says nothing about the failure, and visitors must not be able to add text
 * to a server failure.
 */
export function groupRedactedReport(event: NewEvent): NewEvent {
  const text = event.exception?.message ?? ''
  const [, replaced, shownDigest = null] = replacedMessage.exec(text) ?? []
  const message = replaced ?? redactedMessage.exec(text)?.[0]
  const digest = shownDigest ?? event.digest
  if (digest === null || message === undefined) return event
  const { debugIds: _, ...attributes } = event.attributes
  return {
    ...event,
    body: message,
    exception: { type: 'Error', message, stack: null },
    digest,
    fingerprint: redactedFingerprint(digest),
    attributes,
  }
}

/** The fingerprint of the redacted browser reports with this digest. */
export function redactedFingerprint(digest: string): string {
  // The text must not change, because fingerprints are stored.
  const input = JSON.stringify(['sixpane redacted twin', bareDigest(digest)])
  return createHash('sha256').update(input).digest('hex').slice(0, 10)
}
