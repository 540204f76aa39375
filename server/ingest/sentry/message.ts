import { format } from 'node:util'
import type { Attributes, Json } from '../../../shared/event.ts'
import { object, text } from './json-fields.ts'

/**
 * Returns the message of an event (https://develop.sentry.dev/sdk/data-model/event-payloads/message/), with its parameters
 * inserted, or `null` if it has none.
 */
export function messageOf({ message, logentry }: Attributes): string | null {
  return formatted(logentry) ?? formatted(message) ?? text(message)
}

function formatted(entry: Json | undefined): string | null {
  const { formatted, message, params } = object(entry)
  const template = text(message)
  if (text(formatted) !== null) return text(formatted)
  if (template === null || !Array.isArray(params)) return template
  // `format` would append the parameters that have no placeholder.
  const placeholders = template.replaceAll('%%', '').match(/%[sdifjoOc]/g)?.length ?? 0
  return format(template, ...params.slice(0, placeholders).map(asText))
}

/** `format` would call an object's own `toString`, which need not be a function. */
function asText(value: Json): Json {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
