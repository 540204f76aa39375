/**
 * `sixpane/sentry`: an integration for Sentry's JavaScript SDKs that adds the digest of an error to its event. Frameworks such
 * as Next.js show this digest to the visitor, but the SDKs do not send it.
 *
 *   Sentry.init({ dsn, integrations: [digestIntegration()] })
 */

type SentryEvent = { tags?: { [name: string]: Primitive } }
type Primitive = number | string | boolean | bigint | symbol | null | undefined

/** Errors can be wrapped several times. */
const maxCauses = 5

/** Creates the integration. The digest becomes the tag `digest`, so that it can be searched for in Sentry too. */
export function digestIntegration() {
  return {
    name: 'SixpaneDigest',
    processEvent(event: SentryEvent, hint: { originalException?: unknown }): SentryEvent {
      const digest = digestOf(hint.originalException)
      if (digest !== null) event.tags = { ...event.tags, digest }
      return event
    },
  }
}

function digestOf(error: unknown, causes = maxCauses): string | null {
  if (typeof error !== 'object' || error === null) return null
  if ('digest' in error && typeof error.digest === 'string' && error.digest !== '') return error.digest
  return 'cause' in error && causes > 0 ? digestOf(error.cause, causes - 1) : null
}
