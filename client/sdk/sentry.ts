/**
 * `sixpane/sentry`: an integration for Sentry's JavaScript SDKs that adds the digest of an error to its event. Frameworks such
 * as Next.js show this digest to the visitor, but the SDKs do not send it.
 *
 *   Sentry.init({ dsn, integrations: [digestIntegration()] })
 */

import { digestOf } from './reporter/digest.ts'

type SentryEvent = { tags?: { [name: string]: Primitive } }
type Primitive = number | string | boolean | bigint | symbol | null | undefined

/** Errors can be wrapped several times. */
const maxCauses = 5

/** Creates the integration. The digest becomes the tag `digest`, so that it can be searched for in Sentry too. */
export function digestIntegration() {
  return {
    name: 'SixpaneDigest',
    processEvent(event: SentryEvent, hint: { originalException?: unknown }): SentryEvent {
      const digest = digestInCauses(hint.originalException)
      if (digest !== undefined) event.tags = { ...event.tags, digest }
      return event
    },
  }
}

/** Returns the digest of an error or, if it has none, of its nearest cause with a digest. */
function digestInCauses(error: unknown, causesLeft = maxCauses): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const digest = digestOf(error)
  if (digest !== undefined || causesLeft === 0) return digest
  return 'cause' in error ? digestInCauses(error.cause, causesLeft - 1) : undefined
}
