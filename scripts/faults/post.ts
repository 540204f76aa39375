import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../shared/error-code.ts'

/**
 * Sends a body. Resolves with the status or the error code. Does not use `fetch`, which would not read a response until the
 * whole body is sent.
 */
export async function post(
  url: string,
  body: Buffer,
  headers: OutgoingHttpHeaders = {},
  method = 'POST',
): Promise<string> {
  const sent = request(url, { method, headers: { 'content-length': body.length, ...headers } })
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject).end(body)
    })
    await text(response)
    return String(response.statusCode)
  } catch (error) {
    return errorCode(error) ?? String(error)
  }
}
