import type { FastifyRequest } from 'fastify'

export type Credentials = { scheme: 'basic' | 'bearer' | 'dsn'; name: string; secret: string }

/**
 * Returns the credentials in `Authorization`: https://www.rfc-editor.org/rfc/rfc7617#section-2 and
 * https://www.rfc-editor.org/rfc/rfc6750#section-2.1
 */
export function credentialsOf({ headers }: Pick<FastifyRequest, 'headers'>): Credentials | null {
  const [, scheme, value] = /^(basic|bearer) +([\w.~+/-]+=*)$/i.exec(headers.authorization ?? '') ?? []
  if (value === undefined) return null
  if (scheme?.toLowerCase() === 'bearer') return { scheme: 'bearer', name: '', secret: value }
  const [, name, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return name === undefined || secret === undefined ? null : { scheme: 'basic', name, secret }
}

/**
 * Returns the key of a DSN, which a Sentry SDK sends as the `sentry_key` query parameter or in the `X-Sentry-Auth` header:
 * https://develop.sentry.dev/sdk/foundations/transport/authentication/
 */
export function dsnCredentials({
  headers,
  query,
}: Pick<FastifyRequest, 'headers' | 'query'>): Credentials | null {
  const inQuery = typeof query === 'object' && query !== null ? Reflect.get(query, 'sentry_key') : undefined
  const inHeader = headers['x-sentry-auth']
  const [, key] =
    typeof inHeader === 'string' ? (/(?:^|[ ,])sentry_key=([\w.~-]+)/i.exec(inHeader) ?? []) : []
  const secret = typeof inQuery === 'string' ? inQuery : key
  return secret === undefined ? null : { scheme: 'dsn', name: '', secret }
}
