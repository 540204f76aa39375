import type { Attributes, Json } from '../../../shared/event.ts'
import { object, present, text } from './json-fields.ts'

/** Returns a user as OpenTelemetry attributes (https://opentelemetry.io/docs/specs/semconv/registry/attributes/user/). */
export function userFields(user: Json | undefined): Attributes {
  const { id, email, username, name, ip_address: address } = object(user)
  return present({
    'user.id': id,
    'user.email': email,
    // The SDK for Go can send both.
    'user.name': text(username) ?? name,
    // `{{auto}}` asks Sentry to insert the address of the connection.
    'client.address': address === '{{auto}}' ? null : address,
  })
}
