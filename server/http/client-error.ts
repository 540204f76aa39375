import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** The maximum size of the URL and the headers in total. Visitors may search for the text of a whole support ticket. */
export const maxHeaderBytes = 65_536

const overflow = {
  status: 431,
  message:
    'The URL or the headers are too long. If you searched for long text, go back and paste only the part with the digest.',
}
const timeout = { status: 408, message: 'The request did not arrive in time.' }
const invalid = { status: 400, message: 'The request is not valid HTTP.' }

/** Responds to a request that is invalid, too long or late. Uses plain text, because its `Accept` header is unknown. */
export function sendClientError(error: Error & { code?: string }, socket: Socket): void {
  // After a reset, nobody would receive the response.
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) {
    const { status, message } = responseTo(error.code)
    const body = `${message}\n`
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}

function responseTo(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW') return overflow
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? timeout : invalid
}
