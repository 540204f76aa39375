import { createHmac, randomBytes } from 'node:crypto'

/**
 * Returns the signature headers that Standard Webhooks specifies
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): the message id, which is
 * the same for every attempt, the time, and an HMAC of the id, time and body.
 * @param secret `whsec_` and base64, as returned by `createSigningKey`
 */
export function signatureHeaders(
  { id, body, secret }: { id: string; body: string; secret: string },
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

/** Creates a signing key of 32 random bytes. */
export function createSigningKey(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
