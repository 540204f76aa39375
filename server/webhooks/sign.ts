import { createHmac, randomBytes } from 'node:crypto'

/**
 * The headers that say who sent a message and that nobody changed it, after Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): its id, which stays
 * the same at each try, when it was sent, and the HMAC of both with the body.
 * @param secret `whsec_` and base64, as `newSecret` gives it
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

/** A key of 32 random bytes. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}
