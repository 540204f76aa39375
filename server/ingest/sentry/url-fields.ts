import type { Attributes, Json } from '../../../shared/event.ts'

/** Longer URLs are truncated. */
const maxLength = 4000

/**
 * Returns a URL as an OpenTelemetry attribute (https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/). SDKs
 * for frameworks send only the path.
 */
export function urlFields(given: Json | undefined): Attributes {
  if (typeof given !== 'string' || given === '') return {}
  const url = given.slice(0, maxLength)
  return URL.canParse(url) ? { 'url.full': url } : { 'url.path': url }
}
