import { createHmac } from 'node:crypto'
import cookie from '@fastify/cookie'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** Signs values for cookies and URLs, and rejects changed ones. */
export type SignedValue<T> = {
  write(value: T): string
  /** Returns `null` if the signature is invalid, or the value does not match the schema. */
  read(text: string): T | null
}

/** @param purpose used to derive the key, so that a value for one purpose is not valid for another */
export function signedValue<Schema extends TSchema>(
  schema: Schema,
  secret: string,
  purpose: string,
): SignedValue<Static<Schema>> {
  // Not HKDF, because the purpose may contain hundreds of users, and Node.js limits HKDF's `info` to 1024 bytes.
  const signer = new cookie.Signer(createHmac('sha256', secret).update(`sixpane ${purpose}`).digest())
  return {
    write: value => signer.sign(Buffer.from(JSON.stringify(value)).toString('base64url')),
    read(text) {
      const { valid, value } = signer.unsign(text)
      if (!valid || value === null) return null
      const parsed: unknown = JSON.parse(Buffer.from(value, 'base64url').toString())
      return Value.Check(schema, parsed) ? parsed : null
    },
  }
}
