import { createHash } from 'node:crypto'
import type { NewEvent } from '../../shared/event.ts'
import { bareDigest } from '../store/common/digest.ts'
import type { ScannedOccurrence } from '../store/failure-store.ts'

/**
 * The start of each message that React shows instead of a server error's message. In production builds, React shows only the
 * number (https://react.dev/errors/441, https://react.dev/errors/419).
 */
const redactedMessages = [
  'Minified React error #419',
  'Minified React error #441',
  'An error occurred in the Server Components render',
  'The server could not finish this Suspense boundary',
]
const redactedMessage = new RegExp(`^(?:${redactedMessages.join('|')})(?!\\d)`)

/** The start of each message that a module of Sixpane shows instead of a server error's message. */
const replacedMessages = ['Internal Error', 'Internal Server Error']
const replacedMessage = new RegExp(`^(${replacedMessages.join('|')})\\. Digest: ([\\da-f]{12})$`)

/**
 * Returns a browser event unchanged, unless it is a redacted report of a server failure: an error with a digest, whose
 * message React or a module of Sixpane replaced. Such a report gets the fingerprint of its digest. It loses its stack,
 * which says nothing about the failure, and the rest of its message, because visitors must not be able to add text to a
 * server failure.
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
  return hash(['sixpane redacted twin', bareDigest(digest)])
}

/** The fingerprint that redacted browser reports with this message follow until the server failure is known. */
export function waitingFingerprint(message: string): string {
  return hash(['sixpane redacted reports', message])
}

const waitingFingerprints = new Set([...redactedMessages, ...replacedMessages].map(waitingFingerprint))

/** Whether a fingerprint is the `waitingFingerprint` of any message. */
export function isWaiting(fingerprint: string | null): boolean {
  return fingerprint !== null && waitingFingerprints.has(fingerprint)
}

/**
 * Omits the occurrences that are reports of a server failure. They have the services and releases of browser applications, so
 * the failure would seem to have spread.
 */
export function withoutJoinedReports(occurrences: readonly ScannedOccurrence[]): ScannedOccurrence[] {
  return occurrences.filter(({ followed }) => followed === null || isWaiting(followed))
}

function hash(input: readonly string[]): string {
  // The text must not change, because fingerprints are stored.
  return createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 10)
}
