import type { Attributes, Json } from '../../../shared/event.ts'

/**
 * Returns a URL under OpenTelemetry's names (https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/). SDKs for
 * frameworks send only the path.
 */
export function urlFields(url: Json | undefined): Attributes {
  if (typeof url !== 'string' || url === '') return {}
  return URL.canParse(url) ? { 'url.full': url } : { 'url.path': url }
}
